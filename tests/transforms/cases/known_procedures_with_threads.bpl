procedure corral_getThreadID() returns (id: int);
procedure {:entrypoint} main() { var t: int; async call Worker(); call t := corral_getThreadID(); }
procedure Worker() { }

// becomes:
procedure corral_getThreadID() returns (id: int);

procedure {:entrypoint} main();

implementation main()
{
  var t: int;

  start:
    async call Worker();
    call t := corral_getThreadID();
    return;
}

procedure Worker();

implementation Worker()
{

  start:
    return;
}

