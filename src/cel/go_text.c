#include "config.h"

#include "cel/go_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cel/cel_internal.h"

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

static bool
is_printable(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad)
		return false;
	return !(c >= 0x2000 && c <= 0x200f) && !(c >= 0x2028 && c <= 0x202f) &&
	    !(c >= 0x205f && c <= 0x206f) && c != 0x3000 && c != 0xfeff &&
	    !(c >= 0xe000 && c <= 0xf8ff) && (c & 0xfffe) != 0xfffe &&
	    c < 0xe0000;
}

const char *
go_quote(struct arena *arena, const char *text, size_t len)
{
	static const char plain[] = "\a\b\f\n\r\t\v\\\"",
			  named[] = "abfnrtv\\\"";
	char *out = arena_alloc(arena, 10 * len + 3), *o = out;
	const char *end = text + len, *found;

	*o++ = '"';
	while (text < end) {
		const char *start = text;
		bool invalid = utf8_len((const unsigned char *)text,
				   (const unsigned char *)end) == 0;
		uint32_t c = rune_next(&text, end);

		if (invalid) {
			o += sprintf(o, "\\x%02x", (unsigned char)*start);
		} else if (c != 0 && c < 0x80 &&
		    (found = strchr(plain, (int)c)) != NULL) {
			*o++ = '\\';
			*o++ = named[found - plain];
		} else if (is_printable(c)) {
			o += rune_put(o, c);
		} else if (c < 0x80) {
			o += sprintf(o, "\\x%02x", c);
		} else {
			o += sprintf(o, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
		}
	}
	strcpy(o, "\"");
	return out;
}
