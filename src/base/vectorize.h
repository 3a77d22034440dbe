/* Loops over columns, for processors that have wider vectors than all have. */
#ifndef BASE_VECTORIZE_H
#define BASE_VECTORIZE_H

/*
 * Before a function's type: the compiler makes it twice, and the one that suits the
 * processor is chosen when the program starts.  Results are the same to the bit:
 * no operation is contracted into another.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&         \
    defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define VECTORIZED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORIZED
#endif

#endif
