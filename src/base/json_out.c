#include "config.h"

#include "base/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void
before(struct json_out *json)
{
	if (json->comma)
		fputc(',', json->out);
	json->comma = true;
}

void
json_open(struct json_out *json, char bracket)
{
	before(json);
	fputc(bracket, json->out);
	json->comma = false;
}

void
json_close(struct json_out *json, char bracket)
{
	fputc(bracket, json->out);
	json->comma = true;
}

void
json_break(struct json_out *json, const char *indent)
{
	if (json->comma)
		fputc(',', json->out);
	fprintf(json->out, "\n%s", indent);
	json->comma = false;
}

static bool
continues(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return false;
	return true;
}

/* Length of the UTF-8 sequence at p, which ends in NUL; 0 when it is none:
 * overlong, a surrogate, beyond U+10FFFF or cut short. */
static size_t
utf8_len(const unsigned char *p)
{
	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] < 0xe0)
		return continues(p + 1, 1) ? 2 : 0;
	if (p[0] >= 0xe0 && p[0] < 0xf0) {
		if ((p[0] == 0xe0 && p[1] < 0xa0) ||
		    (p[0] == 0xed && p[1] > 0x9f))
			return 0;
		return continues(p + 1, 2) ? 3 : 0;
	}
	if (p[0] >= 0xf0 && p[0] < 0xf5) {
		if ((p[0] == 0xf0 && p[1] < 0x90) ||
		    (p[0] == 0xf4 && p[1] > 0x8f))
			return 0;
		return continues(p + 1, 3) ? 4 : 0;
	}
	return 0;
}

static void
write_control(FILE *out, unsigned char c)
{
	static const char letters[] = "\b\f\n\r\t", names[] = "bfnrt";
	const char *found = strchr(letters, c);

	if (found != NULL)
		fprintf(out, "\\%c", names[found - letters]);
	else
		fprintf(out, "\\u%04x", c);
}

static void
write_string(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t len;

	fputc('"', out);
	for (; *p != '\0'; p += len > 0 ? len : 1) {
		len = utf8_len(p);
		if (len == 0)
			fputs("\xef\xbf\xbd", out);
		else if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20)
			write_control(out, *p);
		else
			fwrite(p, 1, len, out);
	}
	fputc('"', out);
}

void
json_key(struct json_out *json, const char *key)
{
	before(json);
	write_string(json->out, key);
	fputc(':', json->out);
	json->comma = false;
}

void
json_string(struct json_out *json, const char *text)
{
	before(json);
	if (text != NULL)
		write_string(json->out, text);
	else
		fputs("null", json->out);
}

void
json_int(struct json_out *json, int64_t value)
{
	before(json);
	fprintf(json->out, "%" PRId64, value);
}

void
json_bool(struct json_out *json, bool value)
{
	before(json);
	fputs(value ? "true" : "false", json->out);
}

void
json_number(struct json_out *json, double value, int digits)
{
	before(json);
	fprintf(json->out, "%.*f", digits, isfinite(value) ? value : 0.0);
}
