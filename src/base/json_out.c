#include "config.h"

#include "base/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

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
	const unsigned char *end = p + strlen(text);
	size_t len;

	fputc('"', out);
	for (; p < end; p += len > 0 ? len : 1) {
		len = utf8_len(p, end);
		if (len == 0)
			fputs(UTF8_REPLACEMENT, out);
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
