#include "config.h"

#include "decide/framework/extension_point.h"

const char *const extension_point_names[NPOINTS] = {
#define POINT(symbol, name, title) name,
	EXTENSION_POINTS(POINT)
#undef POINT
};

const char *const extension_point_titles[NPOINTS] = {
#define POINT(symbol, name, title) title,
	EXTENSION_POINTS(POINT)
#undef POINT
};
