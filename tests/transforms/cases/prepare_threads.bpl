procedure corral_getThreadID() returns (id: int);
procedure corral_getChildThreadID() returns (id: int);
procedure {:entrypoint} main() { var t: int; async call Worker(5); call t := corral_getChildThreadID(); assert t > 1; }
procedure Worker(n: int) { var t: int; call t := corral_getThreadID(); yield; assert t != n; }

// becomes:
var {:thread_local} thread$self: int;
var {:thread_local} thread$child: int;
var thread$last: int;

procedure corral_getThreadID() returns (id: int);
  free ensures id == thread$self;

procedure corral_getChildThreadID() returns (id: int);
  free ensures id == thread$child;

procedure {:entrypoint} main();

implementation main()
{
  var t: int;

  $thread:
    thread$self, thread$last := 1, 1;
    goto start;

  start:
    havoc thread$child;
    assume 0 < thread$child;
    thread$child, thread$last := thread$last + thread$child, thread$last + thread$child;
    async call Worker$thread(5, thread$child);
    call t := corral_getChildThreadID();
    assert 1 < t;
    return;
}

procedure Worker(n: int);

implementation Worker(n: int)
{
  var t: int;

  start:
    call t := corral_getThreadID();
    yield;
    assert t != n;
    return;
}

procedure Worker$thread(n: int, thread$identity: int);

implementation Worker$thread(n: int, thread$identity: int)
{

  start:
    thread$self := thread$identity;
    call Worker(n);
    return;
}

