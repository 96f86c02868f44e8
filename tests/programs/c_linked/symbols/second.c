extern int same;
int exported(int);
static int hidden(void) { return same; }
int real_name(void) { return 33; }
int other(void) { return hidden(); }
int other_call(int x) { return exported(x); }
int replaced(void) { return 2; }
int initialised = 20;
int tentative;
