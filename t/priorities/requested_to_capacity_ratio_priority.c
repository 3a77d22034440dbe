#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "decide/framework/args.h"
#include "t/priorities/rows.h"

/* clang-format off */
static const struct row rows[] = {
	{ "without a shape the emptiest node wins",
	    NODE("n1", "4", "10000") NODE("n2", "6", "10000"),
	    ASKS("3", "5000"), "n1=4 n2=5", "n1=37 n2=50" },
	{ "pods there count as much as the pod",
	    NODE("n1", "4", "10000") NODE("n2", "6", "10000")
	    USED("n1", "3", "5000") USED("n2", "3", "5000"),
	    ASKS("0", "0"), "n1=4 n2=5", "n1=37 n2=50" },
	{ "more than there is is full",
	    NODE("n1", "4", "10000"), ASKS("5", "20000"), "n1=0", "n1=0" },
	{ "nothing of nothing is full",
	    NODE("n1", "0", "0"), ASKS("0", "0"), "n1=0", "n1=0" },
	{ "the utilization is whole percents, rounded up",
	    NODE("n1", "3", "3000"), ASKS("1", "1000"), "n1=7", "n1=66" },
	{ "products wrap around at 64 bits: too big a node looks full",
	    NODE("n1", "0", "184467440737095517"),
	    ASKS("0", "0"), "n1=0", "n1=0" },
};
/* clang-format on */

static void
without_argument_it_prefers_empty_nodes(void)
{
	check_rows(&priority_requested_to_capacity_ratio_priority, NULL, rows);
}

/* The score of a node whose cpu and memory are used to that many percent. */
static int64_t
score_at(const struct requested_to_capacity_ratio_args *args, int64_t percent,
    int64_t score_max)
{
	struct world *w = world_new(NODE("n1", "100m", "100"));
	char pod[512];
	int64_t score;

	snprintf(pod, sizeof(pod), ASKS("%" PRId64 "m", "%" PRId64), percent,
	    percent);
	world_pod(w, pod);
	w->profile->score_max = score_max;
	sscanf(world_scores(w, &priority_requested_to_capacity_ratio_priority,
		   args),
	    "n1=%" SCNd64, &score);
	world_free(w);
	return score;
}

static void
a_shape_is_straight_lines_between_points(void)
{
	static const struct shape_point rise[] = { { 10, 1 }, { 90, 9 } };
	static const struct shape_point peak[] = { { 0, 2 }, { 40, 10 },
		{ 100, 0 } };
	static const struct shape_point one[] = { { 50, 3 } };
	static const struct {
		const char *name;
		struct requested_to_capacity_ratio_args args;
		int64_t percent, of_10, of_100;
	} shapes[] = {
		{ "level before the first point", { 2, rise }, -10, 1, 10 },
		{ "level before the first point", { 2, rise }, 0, 1, 10 },
		{ "level before the first point", { 2, rise }, 9, 1, 10 },
		{ "the first point", { 2, rise }, 10, 1, 10 },
		{ "rising lines truncate", { 2, rise }, 15, 1, 15 },
		{ "rising lines truncate", { 2, rise }, 19, 1, 19 },
		{ "a whole step", { 2, rise }, 20, 2, 20 },
		{ "rising lines truncate", { 2, rise }, 89, 8, 89 },
		{ "the last point", { 2, rise }, 90, 9, 90 },
		{ "level after the last point", { 2, rise }, 99, 9, 90 },
		{ "overcommitted is 100", { 2, rise }, 110, 9, 90 },
		{ "first line", { 3, peak }, 0, 2, 20 },
		{ "first line", { 3, peak }, 20, 6, 60 },
		{ "first line", { 3, peak }, 30, 8, 80 },
		{ "a point between lines", { 3, peak }, 40, 10, 100 },
		{ "falling lines truncate the fall", { 3, peak }, 41, 10, 99 },
		{ "second line", { 3, peak }, 70, 5, 50 },
		{ "last point", { 3, peak }, 100, 0, 0 },
		{ "overcommitted is 100", { 3, peak }, 110, 0, 0 },
		{ "one point is level", { 1, one }, 10, 3, 30 },
		{ "one point is level", { 1, one }, 90, 3, 30 },
	};

	for (size_t i = 0; i < LENGTH(shapes); i++) {
		t_int(shapes[i].name,
		    score_at(&shapes[i].args, shapes[i].percent, 10),
		    shapes[i].of_10);
		t_int(shapes[i].name,
		    score_at(&shapes[i].args, shapes[i].percent, 100),
		    shapes[i].of_100);
	}
}

T_MAIN(T(without_argument_it_prefers_empty_nodes),
    T(a_shape_is_straight_lines_between_points))
