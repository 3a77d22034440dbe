#include "config.h"

#include "cel/go_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
go_double(char *buf, double d, char verb)
{
	char digits[32], *e;
	int exponent, precision = 0;

	if (isnan(d))
		return strcpy(buf, "NaN");
	if (isinf(d))
		return strcpy(buf, d > 0 ? "+Inf" : "-Inf");
	do
		snprintf(digits, sizeof(digits), "%.*e", precision, d);
	while (strtod(digits, NULL) != d && ++precision < 17);
	e = strchr(digits, 'e');
	exponent = atoi(e + 1);
	if (verb == 'f' || (exponent >= -4 && exponent < 6)) {
		int decimals = precision - exponent;

		snprintf(buf, GO_DOUBLE, "%.*f", decimals > 0 ? decimals : 0,
		    d);
		return buf;
	}
	return strcpy(buf, digits);
}
