#include "config.h"

#include "daemon/zpages.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/json_out.h"
#include "base/version.h"
#include "base/xmalloc.h"
#include "http/server.h"
#include "options/options.h"

#define COMPONENT "predicated"
#define TEXT_TYPE "text/plain; charset=utf-8"

enum format {
	FORMAT_NONE,
	FORMAT_TEXT,
	FORMAT_V1ALPHA1,
	FORMAT_V1BETA1,
};

static const char *const versions[] = {
	[FORMAT_V1ALPHA1] = "v1alpha1",
	[FORMAT_V1BETA1] = "v1beta1",
};

/* ---- which format ---- */

static void
trim(const char **text, size_t *len)
{
	while (*len > 0 && (**text == ' ' || **text == '\t')) {
		++*text;
		--*len;
	}
	while (
	    *len > 0 && ((*text)[*len - 1] == ' ' || (*text)[*len - 1] == '\t'))
		--*len;
}

static bool
is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

/* Whether the parameters behind the type name this version of the kind. */
static bool
names_version(const char *text, size_t len, const char *kind,
    const char *version)
{
	unsigned found = 0;

	while (len > 0) {
		size_t part = 0, name;
		const char *at = text;

		while (part < len && text[part] != ';')
			part++;
		name = part;
		text += part + (part < len);
		len -= part + (part < len);
		trim(&at, &name);
		found |= (is(at, name, "g=config.k8s.io") ? 1u : 0);
		found |= (name > 3 && strncmp(at, "as=", 3) == 0 &&
			    is(at + 3, name - 3, kind) ?
			2u :
			0);
		found |= (name > 2 && strncmp(at, "v=", 2) == 0 &&
			    is(at + 2, name - 2, version) ?
			4u :
			0);
	}
	return found == 7;
}

/* Of one element of Accept. */
static enum format
format_of_element(const char *text, size_t len, const char *kind)
{
	const char *semicolon = memchr(text, ';', len);
	size_t type = semicolon != NULL ? (size_t)(semicolon - text) : len;
	const char *name = text;

	trim(&name, &type);
	if (is(name, type, "text/plain") || is(name, type, "text/*") ||
	    is(name, type, "*/*"))
		return memmem(text, len, "as=", 3) != NULL ? FORMAT_NONE :
							     FORMAT_TEXT;
	if (semicolon == NULL || !is(name, type, "application/json"))
		return FORMAT_NONE;
	len -= (size_t)(semicolon + 1 - text);
	for (enum format f = FORMAT_V1BETA1; f >= FORMAT_V1ALPHA1; f--)
		if (names_version(semicolon + 1, len, kind, versions[f]))
			return f;
	return FORMAT_NONE;
}

/* The first that we have; weights do not count. */
static enum format
negotiate(const char *accept, const char *kind)
{
	enum format format = FORMAT_NONE;

	if (accept == NULL || accept[strspn(accept, " \t")] == '\0')
		return FORMAT_TEXT;
	while (format == FORMAT_NONE && *accept != '\0') {
		size_t len = strcspn(accept, ",");

		format = format_of_element(accept, len, kind);
		accept += len + (accept[len] == ',');
	}
	return format;
}

/* Begins the answer; FORMAT_NONE: it is complete. */
static enum format
begin(const char *accept, const char *page, const char *kind,
    struct reply *reply)
{
	enum format format = negotiate(accept, kind);

	switch (format) {
	case FORMAT_NONE:
		reply_error(reply, 406,
		    "only the following media types are accepted: "
		    "text/plain, "
		    "application/json;v=v1beta1;g=config.k8s.io;as=%s",
		    kind);
		break;
	case FORMAT_TEXT:
		reply->content_type = TEXT_TYPE;
		text_put(&reply->body, "\n" COMPONENT " ");
		text_put(&reply->body, page);
		text_put(&reply->body,
		    "\nWarning: This endpoint is not meant to be machine "
		    "parseable, has no formatting compatibility guarantees and "
		    "is for debugging purposes only.\n");
		break;
	case FORMAT_V1ALPHA1:
	case FORMAT_V1BETA1:
		reply->content_type = SERVER_JSON;
		json_put(&reply->body, "{'kind':%s,'apiVersion':", kind);
		json_put(&reply->body,
		    format == FORMAT_V1BETA1 ? "'config.k8s.io/v1beta1'" :
					       "'config.k8s.io/v1alpha1'");
		json_put(&reply->body, ",'metadata':{'name':%s}", COMPONENT);
		break;
	}
	return format;
}

/* ---- /statusz ---- */

/* "/debug" of "/debug/explain" */
static size_t
first_part(const char *path)
{
	return path[0] == '/' ? 1 + strcspn(path + 1, "/") : 0;
}

/* The first parts of all paths, each once. */
static void
put_folders(const struct statusz *s, const char *format, const char *separator,
    struct text *out)
{
	AUTOFREE char *folder = xstrdup("");

	for (size_t i = 0; i < s->npaths; i++) {
		size_t len = first_part(s->paths[i]);

		if (strlen(folder) == len &&
		    strncmp(folder, s->paths[i], len) == 0)
			continue;
		text_put(out, folder[0] != '\0' ? separator : "");
		free(folder);
		folder = xstrndup(s->paths[i], len);
		if (format != NULL)
			json_put(out, format, folder);
		else
			text_put(out, folder);
	}
}

static int64_t
uptime(const struct statusz *s)
{
	return s->now_seconds > s->start_seconds ?
	    s->now_seconds - s->start_seconds :
	    0;
}

static void
statusz_text(const struct statusz *s, struct text *out)
{
	const time_t start = (time_t)s->start_seconds;
	struct version_info info = version_info();
	char started[64] = "", line[256];
	int64_t up = uptime(s);
	struct tm tm;

	if (gmtime_r(&start, &tm) != NULL)
		strftime(started, sizeof(started), "%a %b %e %H:%M:%S UTC %Y",
		    &tm);
	snprintf(line, sizeof(line),
	    "\nStarted: %s\nUp: %" PRId64 " hr %02" PRId64 " min %02" PRId64
	    " sec\nCompiler version: %s\nBinary version: %s\n",
	    started, up / 3600, up / 60 % 60, up % 60, info.compiler,
	    info.git_version + 1);
	text_put(out, line);
	if (s->kubernetes_minor > 0) {
		snprintf(line, sizeof(line), "Emulation version: 1.%d\n",
		    s->kubernetes_minor);
		text_put(out, line);
	}
	text_put(out, "Paths: ");
	put_folders(s, NULL, " ", out);
	text_put(out, "\n");
}

static void
statusz_json(const struct statusz *s, struct text *out)
{
	const time_t start = (time_t)s->start_seconds;
	struct version_info info = version_info();
	char started[64] = "", number[32];
	struct tm tm;

	if (gmtime_r(&start, &tm) != NULL)
		strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_put(out, ",'startTime':%s,'uptimeSeconds':", started);
	snprintf(number, sizeof(number), "%" PRId64, uptime(s));
	text_put(out, number);
	json_put(out, ",'goVersion':'','binaryVersion':%s",
	    info.git_version + 1);
	if (s->kubernetes_minor > 0) {
		snprintf(number, sizeof(number), "1.%d", s->kubernetes_minor);
		json_put(out, ",'emulationVersion':%s", number);
	}
	text_put(out, ",\"paths\":[");
	put_folders(s, "%s", ",", out);
	text_put(out, "]}\n");
}

void
zpages_statusz(const char *accept, const struct statusz *s, struct reply *reply)
{
	switch (begin(accept, "statusz", "Statusz", reply)) {
	case FORMAT_NONE:
		break;
	case FORMAT_TEXT:
		statusz_text(s, &reply->body);
		break;
	case FORMAT_V1ALPHA1:
	case FORMAT_V1BETA1:
		statusz_json(s, &reply->body);
		break;
	}
}

/* ---- /flagz ---- */

struct flag {
	char *name, *value;
};

struct flags {
	struct flag *at;
	size_t n, cap;
};

static void
add_flag(void *arg, const char *name, const char *value)
{
	struct flags *flags = arg;

	vec_room(flags->at, flags->n, &flags->cap);
	flags->at[flags->n++] = (struct flag){ xstrdup(name), xstrdup(value) };
}

static int
compare_flags(const void *a, const void *b)
{
	return strcmp(((const struct flag *)a)->name,
	    ((const struct flag *)b)->name);
}

static void
put_flags(const struct flags *flags, enum format format, struct text *out)
{
	for (size_t i = 0; i < flags->n; i++) {
		const struct flag *flag = &flags->at[i];

		if (format == FORMAT_TEXT) {
			text_put(out, flag->name);
			text_put(out, "=");
			text_put(out, flag->value);
			text_put(out, "\n");
			continue;
		}
		text_put(out, i > 0 ? "," : "");
		json_put_string(out, flag->name);
		text_put(out, ":");
		json_put_string(out, flag->value);
	}
}

void
zpages_flagz(const char *accept, const struct daemon_options *options,
    struct reply *reply)
{
	enum format format = begin(accept, "flagz", "Flagz", reply);
	struct flags flags = { 0 };

	if (format == FORMAT_NONE)
		return;
	daemon_options_each_flag(options, add_flag, &flags);
	if (flags.n > 0)
		qsort(flags.at, flags.n, sizeof(*flags.at), compare_flags);
	if (format != FORMAT_TEXT)
		text_put(&reply->body, ",\"flags\":{");
	put_flags(&flags, format, &reply->body);
	if (format != FORMAT_TEXT)
		text_put(&reply->body, "}}\n");
	for (size_t i = 0; i < flags.n; i++) {
		free(flags.at[i].name);
		free(flags.at[i].value);
	}
	free(flags.at);
}
