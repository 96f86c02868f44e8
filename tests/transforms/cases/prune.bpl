procedure {:entrypoint} main() { call P(); }
procedure P() { }
procedure Alone() { call P(); }

// becomes:
procedure {:entrypoint} main();

implementation main()
{

  start:
    call P();
    return;
}

procedure P();

implementation P()
{

  start:
    return;
}

