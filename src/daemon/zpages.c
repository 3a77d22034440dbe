#include "config.h"

#include "daemon/zpages.h"

#include <inttypes.h>
#include <time.h>

#include "base/json_out.h"
#include "base/version.h"
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

/* Whether this is a part of ";TYPE;PARAMETER;". */
static bool
has(const char *element, const char *name, const char *value)
{
	AUTOFREE char *part = xasprintf(";%s%s;", name, value);

	return strcasestr(element, part) != NULL;
}

/* Of one element of Accept. */
static enum format
format_of_element(const char *text, size_t len, const char *kind)
{
	AUTOFREE char *element = xasprintf(";%.*s;", (int)len, text);
	char *end = element;

	for (const char *p = element; *p != '\0'; p++)
		if (*p != ' ' && *p != '\t')
			*end++ = *p;
	*end = '\0';
	if (has(element, "text/", "plain") || has(element, "text/", "*") ||
	    has(element, "*/", "*"))
		return strstr(element, "as=") != NULL ? FORMAT_NONE :
							FORMAT_TEXT;
	if (!has(element, "application/", "json") ||
	    !has(element, "g=", "config.k8s.io") || !has(element, "as=", kind))
		return FORMAT_NONE;
	for (enum format f = FORMAT_V1BETA1; f >= FORMAT_V1ALPHA1; f--)
		if (has(element, "v=", versions[f]))
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
		text_printf(&reply->body,
		    "\n" COMPONENT
		    " %s\nWarning: This endpoint is not meant to be machine "
		    "parseable, has no formatting compatibility guarantees and "
		    "is for debugging purposes only.\n",
		    page);
		break;
	case FORMAT_V1ALPHA1:
	case FORMAT_V1BETA1:
		reply->content_type = SERVER_JSON;
		text_printf(&reply->body,
		    "{\"kind\":\"%s\",\"apiVersion\":\"config.k8s.io/%s\","
		    "\"metadata\":{\"name\":\"" COMPONENT "\"}",
		    kind, versions[format]);
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

/* The first parts of all paths, each once and in these quotes. */
static void
put_folders(const struct statusz *s, const char *separator, const char *quote,
    struct text *out)
{
	const char *folder = "";
	size_t len = 0;

	for (size_t i = 0; i < s->npaths; i++) {
		if (first_part(s->paths[i]) == len &&
		    strncmp(folder, s->paths[i], len) == 0)
			continue;
		text_put(out, folder[0] != '\0' ? separator : "");
		folder = s->paths[i];
		len = first_part(folder);
		text_printf(out, "%s%.*s%s", quote, (int)len, folder, quote);
	}
}

static void
statusz_text(const struct statusz *s, const struct tm *start, int64_t up,
    struct text *out)
{
	struct version_info info = version_info();
	char started[64] = "";

	strftime(started, sizeof(started), "%a %b %e %H:%M:%S UTC %Y", start);
	text_printf(out,
	    "\nStarted: %s\nUp: %" PRId64 " hr %02" PRId64 " min %02" PRId64
	    " sec\nCompiler version: %s\nBinary version: %s\n",
	    started, up / 3600, up / 60 % 60, up % 60, info.compiler,
	    info.git_version + 1);
	if (s->kubernetes_minor > 0)
		text_printf(out, "Emulation version: 1.%d\n",
		    s->kubernetes_minor);
	text_put(out, "Paths: ");
	put_folders(s, " ", "", out);
	text_put(out, "\n");
}

static void
statusz_json(const struct statusz *s, const struct tm *start, int64_t up,
    struct text *out)
{
	char started[64] = "";

	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", start);
	json_put(out,
	    ",'startTime':%s,'uptimeSeconds':%d,'goVersion':'',"
	    "'binaryVersion':%s",
	    started, up, version_info().git_version + 1);
	if (s->kubernetes_minor > 0)
		text_printf(out, ",\"emulationVersion\":\"1.%d\"",
		    s->kubernetes_minor);
	text_put(out, ",\"paths\":[");
	put_folders(s, ",", "\"", out);
	text_put(out, "]}\n");
}

void
zpages_statusz(const char *accept, const struct statusz *s, struct reply *reply)
{
	const time_t start = (time_t)s->start_seconds;
	int64_t up = s->now_seconds > s->start_seconds ?
	    s->now_seconds - s->start_seconds :
	    0;
	struct tm tm = { 0 };

	gmtime_r(&start, &tm);
	switch (begin(accept, "statusz", "Statusz", reply)) {
	case FORMAT_NONE:
		break;
	case FORMAT_TEXT:
		statusz_text(s, &tm, up, &reply->body);
		break;
	case FORMAT_V1ALPHA1:
	case FORMAT_V1BETA1:
		statusz_json(s, &tm, up, &reply->body);
		break;
	}
}

/* ---- /flagz ---- */

struct flagz {
	struct text *out;
	enum format format;
	bool comma;
};

static void
put_flag(void *arg, const char *name, const char *value, bool is_default)
{
	struct flagz *f = arg;

	if (f->format == FORMAT_TEXT)
		text_printf(f->out, "%s=%s\n", name, value);
	else
		json_put(f->out, f->comma ? ",%s:%s" : "%s:%s", name, value);
	f->comma = true;
}

void
zpages_flagz(const char *accept, const struct daemon_options *options,
    struct reply *reply)
{
	struct flagz f = { .out = &reply->body,
		.format = begin(accept, "flagz", "Flagz", reply) };
	bool json = f.format != FORMAT_TEXT;

	if (f.format == FORMAT_NONE)
		return;
	text_put(f.out, json ? ",\"flags\":{" : "");
	daemon_options_each_flag(options, put_flag, &f);
	text_put(f.out, json ? "}}\n" : "");
}
