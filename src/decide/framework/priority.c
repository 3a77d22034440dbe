#include "config.h"

#include "decide/framework/priority.h"

const char prep_skipped, prep_uniform[UNIFORM_MAX + 1];

void
normalize(int64_t max, int reverse, size_t n, int64_t *scores)
{
	int64_t highest = 0;

	for (size_t i = 0; i < n; i++)
		if (scores[i] > highest)
			highest = scores[i];
	if (highest == 0) {
		for (size_t i = 0; reverse && i < n; i++)
			scores[i] = max;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		scores[i] = max * scores[i] / highest;
		if (reverse)
			scores[i] = max - scores[i];
	}
}
