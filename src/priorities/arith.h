/*
 * Arithmetic as in Go on amd64: scores are compared exactly, and quantities can
 * be extreme.  With wrap_add() and the like of objects/resources.h.
 */
#ifndef PRIORITIES_ARITH_H
#define PRIORITIES_ARITH_H

/* Truncates; b is not 0.  -2^63 / -1 wraps around to -2^63. */
static inline int64_t
wrap_div(int64_t a, int64_t b)
{
	return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

/* Truncates; a value out of range becomes -2^63. */
static inline int64_t
to_int64(double x)
{
	return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

#endif
