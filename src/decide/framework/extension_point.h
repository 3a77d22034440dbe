/*
 * The extension points of the scheduler framework, in the order of the lists in
 * KubeSchedulerConfiguration (doc/semantics/08-kubeschedulerconfiguration.md,
 * Extension points).
 */
#ifndef FRAMEWORK_EXTENSION_POINT_H
#define FRAMEWORK_EXTENSION_POINT_H

/* POINT(SYMBOL, "name in a configuration", "name in metrics and errors") */
#define EXTENSION_POINTS(POINT)                                                \
	POINT(PRE_ENQUEUE, "preEnqueue", "PreEnqueue")                         \
	POINT(QUEUE_SORT, "queueSort", "QueueSort")                            \
	POINT(PRE_FILTER, "preFilter", "PreFilter")                            \
	POINT(FILTER, "filter", "Filter")                                      \
	POINT(POST_FILTER, "postFilter", "PostFilter")                         \
	POINT(PRE_SCORE, "preScore", "PreScore")                               \
	POINT(SCORE, "score", "Score")                                         \
	POINT(RESERVE, "reserve", "Reserve")                                   \
	POINT(PERMIT, "permit", "Permit")                                      \
	POINT(PRE_BIND, "preBind", "PreBind")                                  \
	POINT(BIND, "bind", "Bind")                                            \
	POINT(POST_BIND, "postBind", "PostBind")                               \
	POINT(PLACEMENT_GENERATE, "placementGenerate", "PlacementGenerate")    \
	POINT(PLACEMENT_SCORE, "placementScore", "PlacementScore")

enum extension_point {
#define POINT(symbol, name, title) POINT_##symbol,
	EXTENSION_POINTS(POINT)
#undef POINT
	    NPOINTS,
};

/* Sets of extension points. */
#define POINT_BIT(point) (1U << (point))
#define AT_POINT(point) POINT_BIT(POINT_##point)

/* "preFilter", and "PreFilter" */
extern const char *const extension_point_names[NPOINTS];
extern const char *const extension_point_titles[NPOINTS];

#endif
