#include "config.h"

#include "priorities/shape.h"

#define SHAPE_SCORE_MAX 10

void
shape_heights(int64_t max, size_t npoints, const struct shape_point *shape,
    int64_t heights[SHAPE_FULL + 1])
{
	int64_t scale = max / SHAPE_SCORE_MAX;

	for (int64_t at = 0; at <= SHAPE_FULL; at++) {
		size_t i = 0;

		while (i < npoints && at > shape[i].utilization)
			i++;
		if (i == 0 || i == npoints) {
			heights[at] = shape[i == 0 ? 0 : i - 1].score * scale;
			continue;
		}
		heights[at] = shape[i - 1].score * scale +
		    (shape[i].score - shape[i - 1].score) * scale *
			(at - shape[i - 1].utilization) /
			(shape[i].utilization - shape[i - 1].utilization);
	}
}
