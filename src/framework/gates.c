#include "config.h"

#include "framework/gates.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/xmalloc.h"

const struct gates gates_default = {
#define GATE(field, name, default_) .field = default_,
	GATES(GATE)
#undef GATE
};

static const struct {
	const char *name;
	size_t offset;
} names[] = {
#define GATE(field, name, default_) { name, offsetof(struct gates, field) },
	GATES(GATE)
#undef GATE
};

const char *
gates_name(size_t i)
{
	return i < LENGTH(names) ? names[i].name : NULL;
}

static bool *
gate(struct gates *gates, const char *name, size_t len)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (strlen(names[i].name) == len &&
		    memcmp(names[i].name, name, len) == 0)
			return (bool *)((char *)gates + names[i].offset);
	return NULL;
}

static int
unknown(const char *name, size_t len, struct err *err)
{
	char all[512] = "";

	for (size_t i = 0; i < LENGTH(names); i++) {
		size_t used = strlen(all);

		snprintf(all + used, sizeof(all) - used, "%s%s",
		    i > 0 ? ", " : "", names[i].name);
	}
	return errf(err, "unrecognized feature gate: %.*s (there are: %s)",
	    (int)len, name, all);
}

static int
parse_bool(const char *text, size_t len, bool *out)
{
	/* as Go's strconv.ParseBool */
	static const char *const yes[] = { "1", "t", "T", "true", "TRUE",
		"True" };
	static const char *const no[] = { "0", "f", "F", "false", "FALSE",
		"False" };

	for (size_t i = 0; i < LENGTH(yes); i++) {
		if (strlen(yes[i]) == len && memcmp(yes[i], text, len) == 0) {
			*out = true;
			return 0;
		}
		if (strlen(no[i]) == len && memcmp(no[i], text, len) == 0) {
			*out = false;
			return 0;
		}
	}
	return -1;
}

int
gates_parse(const char *text, struct gates *gates, struct err *err)
{
	struct gates result = *gates;
	size_t len, name_len;

	for (; *text != '\0'; text += len + (text[len] == ',')) {
		bool *field;

		len = strcspn(text, ",");
		if (len == 0)
			continue;
		name_len = strcspn(text, "=,");
		if (name_len == len)
			return errf(err, "missing bool value for %.*s",
			    (int)len, text);
		field = gate(&result, text, name_len);
		if (field == NULL)
			return unknown(text, name_len, err);
		if (parse_bool(text + name_len + 1, len - name_len - 1, field) <
		    0)
			return errf(err,
			    "invalid value of %.*s: must be true or false",
			    (int)len, text);
	}
	*gates = result;
	return 0;
}
