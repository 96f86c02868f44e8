"""Small programs for generated checks: for each kind some that pass and some that fail.

If CBMC 5.12 has another answer, the sample has the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

PRELUDE: Final = """
extern int nondet_int(void);
extern unsigned nondet_uint(void);
void *malloc(unsigned long);
void free(void *);
void exit(int);
void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
"""


@final
@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    kind: str
    fails: bool
    text: str
    cbmc: str = ""  # why CBMC does not agree

    @property
    def program(self) -> str:
        return PRELUDE + self.text


SAMPLES: Final = (
    Sample(
        "idx_good",
        "bounds",
        False,
        "int a[10]; int main(void){int i=nondet_int(); if(i>=0&&i<10) a[i]=1; return 0;}",
    ),
    Sample(
        "idx_bad_high",
        "bounds",
        True,
        "int a[10]; int main(void){int i=nondet_int(); if(i>=0&&i<=10) a[i]=1; return 0;}",
    ),
    Sample(
        "idx_bad_low",
        "bounds",
        True,
        "int a[10]; int main(void){int i=nondet_int(); if(i<10) return a[i]; return 0;}",
    ),
    Sample(
        "idx_2d_good",
        "bounds",
        False,
        "int m[3][4]; int main(void){unsigned i=nondet_uint(),j=nondet_uint(); if(i<3&&j<4) m[i][j]=1; return m[2][3];}",
    ),
    Sample(
        "idx_2d_bad",
        "bounds",
        True,
        "int m[3][4]; int main(void){unsigned i=nondet_uint(),j=nondet_uint(); if(i<3&&j<=4) m[i][j]=1; return 0;}",
    ),
    Sample(
        "idx_struct_bad",
        "bounds",
        True,
        "struct s{int n; int a[4]; int z;} g; int main(void){unsigned i=nondet_uint(); if(i<5) g.a[i]=1; return 0;}",
    ),
    Sample(
        "idx_struct_good",
        "bounds",
        False,
        "struct s{int n; int a[4]; int z;} g; int f(struct s*p,unsigned i){return p->a[i];} int main(void){unsigned i=nondet_uint(); if(i<4) return f(&g,i); return 0;}",
    ),
    Sample(
        "heap_idx_good",
        "bounds",
        False,
        "int main(void){unsigned n=nondet_uint(); if(n==0||n>100) return 0; int*p=malloc(n*sizeof(int)); p[n-1]=3; free(p); return 0;}",
    ),
    Sample(
        "heap_idx_bad",
        "bounds",
        True,
        "int main(void){unsigned n=nondet_uint(); if(n==0||n>100) return 0; int*p=malloc(n*sizeof(int)); p[n]=3; free(p); return 0;}",
    ),
    Sample(
        "heap_small_bad",
        "bounds",
        True,
        "struct s{int a; int b;}; int main(void){struct s*p=malloc(sizeof(int)); p->a=1; p->b=2; return 0;}",
    ),
    Sample(
        "flex_good",
        "bounds",
        False,
        "struct s{int n; int d[];}; int main(void){struct s*p=malloc(sizeof(struct s)+3*sizeof(int)); p->n=3; for(int i=0;i<p->n;i++) p->d[i]=i; return 0;}",
    ),
    Sample(
        "flex_bad",
        "bounds",
        True,
        "struct s{int n; int d[];}; int main(void){struct s*p=malloc(sizeof(struct s)+3*sizeof(int)); p->n=4; for(int i=0;i<p->n;i++) p->d[i]=i; return 0;}",
    ),
    Sample(
        "loop_ptr_good",
        "bounds",
        False,
        "char b[5]; int main(void){char*p=b; for(int i=0;i<5;i++) *p++ = 1; return 0;}",
    ),
    Sample(
        "loop_ptr_bad",
        "bounds",
        True,
        "char b[5]; int main(void){char*p=b; for(int i=0;i<6;i++) *p++ = 1; return 0;}",
    ),
    Sample(
        "arith_bad",
        "bounds",
        True,
        "int a[4]; int main(void){int*p=a; p=p+5; return 0;}",
        "it does not check arithmetic on pointers",
    ),
    Sample(
        "arith_good",
        "bounds",
        False,
        "int a[4]; int main(void){int*p=a; p=p+4; p--; return *p;}",
    ),
    Sample(
        "arith_neg_bad",
        "bounds",
        True,
        "int a[4]; int main(void){int*p=a; p--; return 0;}",
        "it does not check arithmetic on pointers",
    ),
    Sample(
        "addr_one_past_good",
        "bounds",
        False,
        "int a[4]; int main(void){int*e=&a[4]; int s=0; for(int*p=a;p!=e;p++) s+=*p; return s;}",
    ),
    Sample(
        "string_bad",
        "bounds",
        True,
        'int main(void){const char*s="abc"; int n=nondet_int(); if(n<0||n>4) return 0; return s[n];}',
    ),
    Sample(
        "string_good",
        "bounds",
        False,
        'int main(void){const char*s="abc"; int n=nondet_int(); if(n<0||n>3) return 0; return s[n];}',
    ),
    Sample(
        "memset_bad",
        "bounds",
        True,
        "int main(void){char b[8]; memset(b,0,9); return 0;}",
    ),
    Sample(
        "memset_good",
        "bounds",
        False,
        "int main(void){char b[8]; memset(b,0,8); return b[7];}",
    ),
    Sample(
        "memcpy_bad",
        "bounds",
        True,
        "int main(void){char b[8],c[4]; memset(c,0,4); memcpy(b,c,5); return 0;}",
    ),
    Sample(
        "vla_bad",
        "bounds",
        True,
        "int main(void){int n=nondet_int(); if(n<1||n>8) return 0; int a[n]; a[n]=1; return 0;}",
    ),
    Sample(
        "vla_good",
        "bounds",
        False,
        "int main(void){int n=nondet_int(); if(n<1||n>8) return 0; int a[n]; a[n-1]=1; return 0;}",
    ),
    Sample(
        "local_param_bad",
        "bounds",
        True,
        "void f(int*p){p[3]=1;} int main(void){int a[3]; f(a); return 0;}",
    ),
    Sample(
        "short_circuit_good",
        "bounds",
        False,
        "int a[4]; int main(void){int i=nondet_int(); if(i>=0 && i<4 && a[i]==0) return 1; return 0;}",
    ),
    Sample(
        "short_circuit_bad",
        "bounds",
        True,
        "int a[4]; int main(void){int i=nondet_int(); if(a[i]==0 && i>=0 && i<4) return 1; return 0;}",
    ),
    Sample(
        "cond_good",
        "bounds",
        False,
        "int a[4]; int main(void){unsigned i=nondet_uint(); return i<4 ? a[i] : 0;}",
    ),
    Sample(
        "null_bad",
        "pointer",
        True,
        "struct s{int x;}; int main(void){struct s*p=0; if(nondet_int()) p=malloc(sizeof*p); p->x=1; return 0;}",
    ),
    Sample(
        "null_good",
        "pointer",
        False,
        "struct s{int x;}; int main(void){struct s*p=0; if(nondet_int()) p=malloc(sizeof*p); if(p) p->x=1; free(p); return 0;}",
    ),
    Sample(
        "uaf_bad",
        "pointer",
        True,
        "int main(void){int*p=malloc(4); *p=1; free(p); return *p;}",
    ),
    Sample(
        "double_free_bad",
        "pointer",
        True,
        "int main(void){int*p=malloc(4); int*q=p; free(p); if(nondet_int()) free(q); return 0;}",
    ),
    Sample(
        "free_middle_bad",
        "pointer",
        True,
        "int main(void){int*p=malloc(8); free(p+1); return 0;}",
    ),
    Sample(
        "free_stack_bad",
        "pointer",
        True,
        "int main(void){int x; int*p=&x; free(p); return 0;}",
    ),
    Sample(
        "free_good",
        "pointer",
        False,
        "int main(void){int*p=malloc(8); int*q=0; free(q); *p=1; free(p); p=malloc(4); *p=3; free(p); return 0;}",
    ),
    Sample(
        "dangling_bad",
        "pointer",
        True,
        "int*f(void){int x=3; int*p=&x; return p;} int main(void){int*p=f(); return *p;}",
    ),
    Sample(
        "dangling_good",
        "pointer",
        False,
        "int g(int*p){return *p;} int f(void){int x=3; return g(&x);} int main(void){f(); return f();}",
    ),
    Sample(
        "uninit_ptr_bad",
        "pointer",
        True,
        "int main(void){int*p; return *p;}",
    ),
    Sample(
        "int_ptr_bad",
        "pointer",
        True,
        "int main(void){int*p=(int*)0x12345678; return *p;}",
    ),
    Sample(
        "fptr_bad",
        "pointer",
        True,
        "int f(int x){return x;} int main(void){int(*g)(int)=0; if(nondet_int()) g=f; return g(1);}",
    ),
    Sample(
        "fptr_good",
        "pointer",
        False,
        "int f(int x){return x;} int main(void){int(*g)(int)=0; if(nondet_int()) g=f; if(!g) return 0; return g(1);}",
    ),
    Sample(
        "list_good",
        "pointer",
        False,
        "struct n{int v; struct n*next;}; int main(void){struct n*h=0; for(int i=0;i<3;i++){struct n*x=malloc(sizeof*x); x->v=i; x->next=h; h=x;} int s=0; for(struct n*p=h;p;p=p->next) s+=p->v; while(h){struct n*t=h->next; free(h); h=t;} return s;}",
    ),
    Sample(
        "list_uaf_bad",
        "pointer",
        True,
        "struct n{int v; struct n*next;}; int main(void){struct n*h=0; for(int i=0;i<3;i++){struct n*x=malloc(sizeof*x); x->v=i; x->next=h; h=x;} while(h){free(h); h=h->next;} return 0;}",
    ),
    Sample(
        "list_leak_good",
        "leak",
        False,
        "struct n{int v; struct n*next;}; int main(void){struct n*h=0; for(int i=0;i<3;i++){struct n*x=malloc(sizeof*x); x->v=i; x->next=h; h=x;} while(h){struct n*t=h->next; free(h); h=t;} return 0;}",
    ),
    Sample(
        "leak_bad",
        "leak",
        True,
        "int main(void){int*p=malloc(4); if(nondet_int()) free(p); return 0;}",
    ),
    Sample(
        "leak_exit_bad",
        "leak",
        True,
        "int main(void){int*p=malloc(4); if(nondet_int()) exit(1); free(p); return 0;}",
        "it looks at the end of main only",
    ),
    Sample(
        "offsetof_good",
        "pointer",
        False,
        "struct s{int a; int b;}; int main(void){unsigned long o=(unsigned long)&((struct s*)0)->b; return o;}",
    ),
    Sample(
        "div_bad",
        "div",
        True,
        "int main(void){int x=nondet_int(); return 10/x;}",
    ),
    Sample(
        "div_good",
        "div",
        False,
        "int main(void){int x=nondet_int(); if(x && 10/x>1) return 10%x; return 0;}",
    ),
    Sample(
        "mod_bad",
        "div",
        True,
        "int main(void){int x=nondet_int(); x = 5; x %= nondet_int(); return x;}",
    ),
    Sample(
        "ovf_add_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(); return x+1;}",
    ),
    Sample(
        "ovf_add_good",
        "overflow",
        False,
        "int main(void){int x=nondet_int(); if(x<100) return x+1; return 0;}",
    ),
    Sample(
        "ovf_sub_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(),y=nondet_int(); return x-y;}",
    ),
    Sample(
        "ovf_mul_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(),y=nondet_int(); if(x>0&&x<65536&&y>0&&y<65536) return x*y; return 0;}",
    ),
    Sample(
        "ovf_mul_good",
        "overflow",
        False,
        "int main(void){int x=nondet_int(),y=nondet_int(); if(x>0&&x<32768&&y>0&&y<32768) return x*y; return 0;}",
    ),
    Sample(
        "ovf_neg_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(); return -x;}",
    ),
    Sample(
        "ovf_div_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(),y=nondet_int(); if(y) return x/y; return 0;}",
    ),
    Sample(
        "ovf_inc_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(); x++; return x;}",
    ),
    Sample(
        "ovf_compound_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(); x+=5; return x;}",
    ),
    Sample(
        "ovf_char_good",
        "overflow",
        False,
        "int main(void){char c=(char)nondet_int(); c++; return c;}",
        "it does not promote what ++ steps",
    ),
    Sample(
        "ovf_unsigned_good",
        "overflow",
        False,
        "int main(void){unsigned x=nondet_uint(); return (int)(x+1 > 3u);}",
    ),
    Sample(
        "ovf_shl_bad",
        "overflow",
        True,
        "int main(void){int x=nondet_int(); if(x>=0) return x<<4; return 0;}",
    ),
    Sample(
        "ovf_shl_good",
        "overflow",
        False,
        "int main(void){int x=nondet_int(); long n=3; if(x>=0&&x<1000) return x<<n; return 0;}",
    ),
    Sample(
        "shift_bad",
        "shift",
        True,
        "int main(void){unsigned n=nondet_uint(); return 1u<<n;}",
    ),
    Sample(
        "shift_good",
        "shift",
        False,
        "int main(void){unsigned n=nondet_uint(); if(n<32) return 1u>>n; return 0;}",
    ),
    Sample(
        "shift_neg_bad",
        "shift",
        True,
        "int main(void){int n=nondet_int(); if(n<32) return 1u>>n; return 0;}",
    ),
    Sample(
        "conv_bad",
        "conversion",
        True,
        "int main(void){int x=nondet_int(); char c=x; return c;}",
    ),
    Sample(
        "conv_good",
        "conversion",
        False,
        "int main(void){int x=nondet_int(); if(x<0||x>127) return 0; char c=x; return c;}",
    ),
    Sample(
        "conv_sign_bad",
        "conversion",
        True,
        "int main(void){int x=nondet_int(); unsigned u=x; return u>3u;}",
    ),
    Sample(
        "conv_float_bad",
        "conversion",
        True,
        "int main(void){int x=nondet_int(); float f=(float)x*4.0f; int y=f; return y;}",
    ),
    Sample(
        "conv_float_good",
        "conversion",
        False,
        "int main(void){int x=nondet_int(); if(x<0||x>1000) return 0; float f=x; int y=f; return y;}",
    ),
    Sample(
        "uninit_bad",
        "uninitialized",
        True,
        "int main(void){int x; if(nondet_int()) x=3; return x;}",
    ),
    Sample(
        "uninit_good",
        "uninitialized",
        False,
        "int main(void){int x; if(nondet_int()) x=3; else x=4; for(int i=0;i<3;i++) x+=i; return x;}",
    ),
    Sample(
        "uninit_goto_bad",
        "uninitialized",
        True,
        "int main(void){if(nondet_int()) goto out; int x=3; out: return x;}",
    ),
    Sample(
        "uninit_loop_bad",
        "uninitialized",
        True,
        "int main(void){int s=0; for(int i=0;i<3;i++){int t; if(i==0) t=1; s+=t;} return s;}",
    ),
)
