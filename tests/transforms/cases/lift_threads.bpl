var g: int;
procedure {:entrypoint} main() modifies g; { g := 1; async call Worker(2); async call Quiet(); }
procedure Worker(n: int) { assert g > n; }
procedure Quiet() modifies g; { g := 3; }

// becomes:
var g: int;
var failing$thread: int;
var failing$Worker$n: int;

procedure {:entrypoint} main();
  modifies g, failing$thread, failing$Worker$n;

implementation main()
{
  var Worker$n: int;

  $lift$threads:
    goto $lift$others;

  Worker$grab:
    assume failing$thread == 2;
    Worker$n := failing$Worker$n;
    goto Worker$start;

  $lift$others:
    assume failing$thread == 0;
    async call main$thread();
    goto Worker$grab;

  Worker$start:
    assert Worker$n < g;
    assume false;
    return;
}

procedure Worker(n: int);

implementation Worker(n: int)
{

  start:
    assume n < g;
    return;
}

procedure Quiet();
  modifies g;

implementation Quiet()
{

  start:
    g := 3;
    return;
}

procedure main$thread();
  modifies g, failing$thread, failing$Worker$n;

implementation main$thread()
{

  start:
    g := 1;
    goto start$start, start$fails;

  start$start:
    async call Worker(2);
    goto start$on;

  start$fails:
    assume failing$thread == 0;
    failing$thread, failing$Worker$n := 2, 2;
    goto start$on;

  start$on:
    goto start$start.1;

  start$start.1:
    async call Quiet();
    return;
}

