/* Health checks for fuzz targets. */
#ifndef T_FUZZ_HEALTH_H
#define T_FUZZ_HEALTH_H

#include "base/err.h"

static inline int
fuzz_pass(void *arg, struct err *err)
{
	return 0;
}

static inline int
fuzz_refuse(void *arg, struct err *err)
{
	return errf(err, "bad");
}

#endif
