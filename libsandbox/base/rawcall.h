/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rawcall: system calls without a libc in between.
 *
 * Between clone and exec the child shares the harness's memory and thread
 * pointer: even errno belongs to the harness.  These return -errno.
 */
#ifndef SBXI_BASE_RAWCALL_H
#define SBXI_BASE_RAWCALL_H

/*
 * Code that runs on borrowed memory: no sanitiser may write its books from
 * there, and no guard be read through a thread pointer that is another's.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SBXI_BORROWED \
	__attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define SBXI_BORROWED
#endif

#if defined(__x86_64__)
__attribute__((always_inline)) static inline long sbxi_raw6(long nr, long a, long b, long c, long d, long e,
			     long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
			   "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__)
__attribute__((always_inline)) static inline long sbxi_raw6(long nr, long a, long b, long c, long d, long e,
			     long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4),
			   "r"(x5)
			 : "memory", "cc");
	return x0;
}
#else
#error "libsandbox knows the system calls of x86-64 and aarch64 only"
#endif

#define SBXI_RAW_PICK(_1, _2, _3, _4, _5, _6, _7, name, ...) name
#define sbxi_raw1(n) sbxi_raw6(n, 0, 0, 0, 0, 0, 0)
#define sbxi_raw2(n, a) sbxi_raw6(n, (long)(a), 0, 0, 0, 0, 0)
#define sbxi_raw3(n, a, b) sbxi_raw6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define sbxi_raw4(n, a, b, c) \
	sbxi_raw6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define sbxi_raw5(n, a, b, c, d) \
	sbxi_raw6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define sbxi_raw6a(n, a, b, c, d, e) \
	sbxi_raw6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define sbxi_raw7(n, a, b, c, d, e, f)                                      \
	sbxi_raw6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
		  (long)(f))
/* sbxi_raw(number, up to six arguments) */
#define sbxi_raw(...)                                                       \
	SBXI_RAW_PICK(__VA_ARGS__, sbxi_raw7, sbxi_raw6a, sbxi_raw5,        \
		      sbxi_raw4, sbxi_raw3, sbxi_raw2, sbxi_raw1)(__VA_ARGS__)

#endif
