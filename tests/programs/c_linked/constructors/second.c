extern int state;
__attribute__((constructor(101))) static void begin(void) { state = 2; }
