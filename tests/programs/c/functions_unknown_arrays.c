// A function without a body may change the whole of an array that it is given by name, and no string literal.
#include <assert.h>
void fill(int *at);
void fill_bytes(unsigned char at[], int count);
void fill_rows(int (*at)[2]);
void look(const int *at);
void say(char *text);
struct packet { int length; char data[4]; };

int main(void) {
  int a[3] = {1, 2, 3}, b[2][2] = {{1, 2}, {3, 4}};
  struct packet packet = {4, "abc"};
  look(a);
  assert(a[2] == 3);                                 //~ proved
  fill(&a[1]);
  assert(a[0] == 1 && a[2] == 3);                    //~ violated
  fill(a);
  assert(a[2] == 3);                                 //~ violated
  fill_rows(b);
  assert(b[1][1] == 4);                              //~ violated
  say(packet.data);
  assert(packet.length == 4);                        //~ proved
  assert(packet.data[2] == 'c');                     //~ violated
  int c[2] = {5, 6};
  fill_bytes((unsigned char *)c, sizeof c);
  assert(c[1] == 6);                                 //~ violated
  for (int i = 0; i < 2; i++) {
    char *text = "x";
    assert(*text == 'x');                            //~ proved
    say("x");
    say(text);
  }
  const char fixed[2] = "f";
  say((char *)fixed);
  assert(fixed[0] == 'f');                           //~ proved
  char letters[2] = "y", *either = c[0] ? letters : "z";
  say(either);
  assert(c[0] || *either == 'z');                    //~ proved
  assert(*either == 'y' || *either == 'z');          //~ violated
  return 0;
}
