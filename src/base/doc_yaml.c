/*
 * The YAML front end of doc.h: libyaml's events become the tree.
 *
 * Scalars have the same meaning as in Kubernetes, which reads YAML through
 * sigs.k8s.io/yaml and gopkg.in/yaml.v2: YAML 1.1, so "yes" and "on" are true
 * and 010 is eight, but without base 60 and without dates.  Keys become
 * strings, too: "on: 1" has the key "true".  A "<<" takes effect at its
 * position: its members replace those written before it, and those written
 * after it replace them.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <yaml.h>

#include "base/doc_internal.h"
#include "base/map.h"

#define TAG_PREFIX "tag:yaml.org,2002:"

/* Values that aliases may add to one document, independent of its limit: a text
 * of a few lines must not take gigabytes. */
#define ALIASED_MAX ((size_t)2 * 1000 * 1000)

struct doc_yaml {
	yaml_parser_t parser;
	yaml_event_t event; /* the current event; none: NO_EVENT */
};

struct anchor {
	struct doc_node *node;
	bool open; /* we are still within its value */
};

/* The state of building one document. */
struct build {
	struct doc_reader *reader;
	struct doc *doc;
	struct doc_yaml *yaml;
	struct strmap anchors; /* struct anchor, in the document's arena */
	size_t aliased;        /* values added by aliases */
	struct err *err;
};

struct doc_yaml *
doc_yaml_new(const struct doc_reader *reader)
{
	struct doc_yaml *yaml = xcalloc(1, sizeof(*yaml));

	if (!yaml_parser_initialize(&yaml->parser))
		abort();
	yaml_parser_set_encoding(&yaml->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&yaml->parser,
	    (const unsigned char *)reader->text,
	    (size_t)(reader->end - reader->text));
	return yaml;
}

void
doc_yaml_free(struct doc_yaml *yaml)
{
	if (yaml == NULL)
		return;
	yaml_event_delete(&yaml->event);
	yaml_parser_delete(&yaml->parser);
	free(yaml);
}

/* Errors. */

#define FAIL(build, mark, ...)                                                 \
	doc_fail((build)->err, (build)->doc->name, (uint32_t)(mark).line + 1,  \
	    (uint32_t)(mark).column + 1, __VA_ARGS__)

/* Bytes that are no text: libyaml reports only their offset. */
static int
fail_reader(struct build *build)
{
	const yaml_parser_t *parser = &build->yaml->parser;
	const struct doc_reader *reader = build->reader;
	struct doc_place place = { reader->text, 1, 1 };
	size_t len = (size_t)(reader->end - reader->text);

	doc_place_move(&place,
	    reader->text +
		(parser->problem_offset < len ? parser->problem_offset : len));
	return doc_fail(build->err, reader->name, place.line, place.column,
	    "%s", parser->problem);
}

/* libyaml's messages, and the likely mistakes behind them. */
static const struct {
	const char *problem, *meaning;
} meanings[] = {
	{ "mapping values are not allowed in this context",
	    "is a line indented too far, or a text with ': ' not in quotes?" },
	{ "could not find expected ':'",
	    "is a ':' missing behind a key, or the blank behind it?" },
	{ "did not find expected key",
	    "is a line indented differently from those around it?" },
	{ "did not find expected '-' indicator",
	    "is a line of a list indented differently from its '-'?" },
	{ "did not find expected ',' or ']'", "is a ',' or a ']' missing?" },
	{ "did not find expected ',' or '}'", "is a ',' or a '}' missing?" },
	{ "did not find expected node content",
	    "is a ',' too many, or a bracket not closed?" },
	{ "found unexpected end of stream", "is a quote missing?" },
};

static bool
is_at_tab(const struct build *build)
{
	const yaml_parser_t *parser = &build->yaml->parser;
	const struct doc_reader *reader = build->reader;

	return parser->problem_mark.index <
	    (size_t)(reader->end - reader->text) &&
	    strstr(parser->problem, "cannot start any token") != NULL &&
	    *parser->buffer.pointer == '\t';
}

static int
fail_parser(struct build *build)
{
	const yaml_parser_t *parser = &build->yaml->parser;
	const char *problem = parser->problem;
	const char *meaning = NULL;

	for (size_t i = 0; problem != NULL && i < LENGTH(meanings); i++)
		if (strcmp(meanings[i].problem, problem) == 0)
			meaning = meanings[i].meaning;
	if (parser->error == YAML_SCANNER_ERROR && is_at_tab(build))
		return FAIL(build, parser->problem_mark,
		    "a tab cannot indent YAML; use blanks");
	switch (parser->error) {
	case YAML_READER_ERROR:
		return fail_reader(build);
	case YAML_SCANNER_ERROR:
	case YAML_PARSER_ERROR:
		if (parser->context != NULL)
			return FAIL(build, parser->problem_mark, "%s %s%s%s",
			    problem, parser->context,
			    meaning != NULL ? "; " : "",
			    meaning != NULL ? meaning : "");
		return FAIL(build, parser->problem_mark, "%s%s%s", problem,
		    meaning != NULL ? "; " : "",
		    meaning != NULL ? meaning : "");
	case YAML_MEMORY_ERROR:
		abort();
	case YAML_NO_ERROR:
	case YAML_COMPOSER_ERROR:
	case YAML_WRITER_ERROR:
	case YAML_EMITTER_ERROR:
		break;
	}
	return FAIL(build, parser->mark, "not YAML");
}

/* Moves on to the next event. */
static int
advance(struct build *build)
{
	yaml_event_delete(&build->yaml->event);
	if (!yaml_parser_parse(&build->yaml->parser, &build->yaml->event))
		return fail_parser(build);
	return 0;
}

/* Numbers. */

static bool
all_digits(const char *s, const char *digits)
{
	return *s != '\0' && s[strspn(s, digits)] == '\0';
}

/* The base in which yaml.v2 reads an integer's digits; *s moves past the
 * prefix. */
static int
base_of(const char **s)
{
	const char *p = *s;

	if (p[0] != '0' || p[1] == '\0')
		return 10;
	*s += p[1] == 'x' || p[1] == 'X' || p[1] == 'b' ? 2 : 1;
	return p[1] == 'x' || p[1] == 'X' ? 16 : p[1] == 'b' ? 2 : 8;
}

/* An integer of up to 64 bits as a JSON number, or NULL. */
static const char *
read_int(struct arena *arena, const char *s)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	bool plus = *s == '+', minus = *s == '-';
	unsigned long long value;
	int base;

	s += plus || minus;
	base = base_of(&s);
	/* Binary is an afterthought there and takes no plus. */
	if (base == 2 && plus)
		return NULL;
	if (base == 16 ? !all_digits(s, hex) :
			 strspn(s, "0123456789") != strlen(s) || *s == '\0')
		return NULL;
	if (base == 2     ? !all_digits(s, "01") :
		base == 8 ? !all_digits(s, "01234567") :
			    false)
		return NULL;
	errno = 0;
	value = strtoull(s, NULL, base);
	if (errno == ERANGE)
		return NULL;
	/* Tries unsigned numbers only without a sign. */
	if (plus && value > INT64_MAX)
		return NULL;
	if (minus && value > (unsigned long long)INT64_MAX + 1)
		return NULL;
	return arena_printf(arena, "%s%llu", minus && value > 0 ? "-" : "",
	    value);
}

/*
 * A decimal number, perhaps with a fraction and an exponent, as a JSON number:
 * the digits stay, "+" and leading zeros go, and a point has a digit on both
 * sides.  NULL: no such number, or none that fits a double.
 */
static const char *
read_float(struct arena *arena, const char *s)
{
	static const char digits[] = "0123456789";
	bool minus = *s == '-';
	size_t whole, fraction = 0;
	const char *exponent;

	s += *s == '+' || *s == '-';
	whole = strspn(s, digits);
	if (s[whole] == '.')
		fraction = strspn(s + whole + 1, digits) + 1;
	if (whole == 0 && fraction < 2)
		return NULL;
	exponent = s + whole + fraction;
	if (*exponent != '\0') {
		const char *p = exponent;

		if (*p != 'e' && *p != 'E')
			return NULL;
		p += p[1] == '+' || p[1] == '-' ? 2 : 1;
		if (!all_digits(p, digits))
			return NULL;
	}
	if (isinf(strtod(s, NULL)))
		return NULL;
	for (; whole > 1 && *s == '0'; whole--)
		s++;
	return arena_printf(arena, "%s%.*s%.*s%s", minus ? "-" : "",
	    whole > 0 ? (int)whole : 1, whole > 0 ? s : "0",
	    fraction > 1 ? (int)fraction : 0, s + whole, exponent);
}

/* A plain scalar as a JSON number, or NULL when it is none. */
static const char *
read_number(struct arena *arena, const char *text, size_t len)
{
	const char *number;
	char *plain, *to;

	if (len == 0 || strchr("+-.0123456789", *text) == NULL)
		return NULL;
	if (*text == '.')
		return read_float(arena, text);
	plain = to = arena_strndup(arena, text, len);
	for (const char *p = text; *p != '\0'; p++)
		if (*p != '_')
			*to++ = *p;
	*to = '\0';
	number = read_int(arena, plain);
	return number != NULL ? number : read_float(arena, plain);
}

/* Scalars. */

static const struct word {
	const char *text;
	enum doc_kind kind;
	bool boolean;
} words[] = {
	/* clang-format off */
	{ "", DOC_NULL, false }, { "~", DOC_NULL, false },
	{ "null", DOC_NULL, false }, { "Null", DOC_NULL, false },
	{ "NULL", DOC_NULL, false },
	{ "y", DOC_BOOL, true }, { "Y", DOC_BOOL, true },
	{ "yes", DOC_BOOL, true }, { "Yes", DOC_BOOL, true },
	{ "YES", DOC_BOOL, true },
	{ "true", DOC_BOOL, true }, { "True", DOC_BOOL, true },
	{ "TRUE", DOC_BOOL, true },
	{ "on", DOC_BOOL, true }, { "On", DOC_BOOL, true },
	{ "ON", DOC_BOOL, true },
	{ "n", DOC_BOOL, false }, { "N", DOC_BOOL, false },
	{ "no", DOC_BOOL, false }, { "No", DOC_BOOL, false },
	{ "NO", DOC_BOOL, false },
	{ "false", DOC_BOOL, false }, { "False", DOC_BOOL, false },
	{ "FALSE", DOC_BOOL, false },
	{ "off", DOC_BOOL, false }, { "Off", DOC_BOOL, false },
	{ "OFF", DOC_BOOL, false },
	/* clang-format on */
};

/* Numbers that JSON does not have. */
static const char *const not_numbers[] = { ".nan", ".NaN", ".NAN", ".inf",
	".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF" };

static void
make_string(struct build *build, struct doc_node *node, const char *text,
    size_t len)
{
	node->kind = DOC_STRING;
	node->text = arena_strndup(&build->doc->arena, text, len);
	node->len = len;
}

/* Determines the type of a scalar without quotes. */
static int
resolve(struct build *build, struct doc_node *node, const char *text,
    size_t len)
{
	const char *number;

	for (size_t i = 0; i < LENGTH(words); i++) {
		if (strcmp(words[i].text, text) != 0 || strlen(text) != len)
			continue;
		node->kind = words[i].kind;
		node->boolean = words[i].boolean;
		return 0;
	}
	for (size_t i = 0; i < LENGTH(not_numbers); i++)
		if (strcmp(not_numbers[i], text) == 0 && strlen(text) == len)
			return doc_errf(build->err, node,
			    "%s has no meaning in JSON", text);
	number = read_number(&build->doc->arena, text, len);
	if (number == NULL || strlen(text) != len) {
		make_string(build, node, text, len);
		return 0;
	}
	node->kind = DOC_NUMBER;
	node->text = number;
	node->len = strlen(number);
	return 0;
}

/* The type that a tag requires; an integer is a number without point and
 * exponent. */
static bool
fits_tag(const struct doc_node *node, const char *tag)
{
	if (strcmp(tag, "null") == 0)
		return node->kind == DOC_NULL;
	if (strcmp(tag, "bool") == 0)
		return node->kind == DOC_BOOL;
	if (strcmp(tag, "float") == 0)
		return node->kind == DOC_NUMBER;
	return node->kind == DOC_NUMBER && strpbrk(node->text, ".eE") == NULL;
}

/* A scalar with an explicit tag.  Those that are not YAML's own make it a
 * string, as in yaml.v2. */
static int
resolve_tagged(struct build *build, struct doc_node *node, const char *text,
    size_t len, const char *full_tag)
{
	size_t prefix = strlen(TAG_PREFIX);
	const char *tag = strncmp(full_tag, TAG_PREFIX, prefix) == 0 ?
	    full_tag + prefix :
	    NULL;

	if (tag != NULL && strcmp(tag, "binary") == 0)
		return doc_errf(build->err, node, "!!binary is not supported");
	if (tag == NULL ||
	    (strcmp(tag, "null") != 0 && strcmp(tag, "bool") != 0 &&
		strcmp(tag, "int") != 0 && strcmp(tag, "float") != 0)) {
		make_string(build, node, text, len);
		return 0;
	}
	if (resolve(build, node, text, len) != 0)
		return -1;
	if (!fits_tag(node, tag))
		return doc_errf(build->err, node, "\"%s\" is not a !!%s", text,
		    tag);
	return 0;
}

static struct doc_node *
new_node(struct build *build, enum doc_kind kind)
{
	const yaml_mark_t *mark = &build->yaml->event.start_mark;

	return doc_node_new(build->doc, &build->reader->limits, kind,
	    (uint32_t)mark->line + 1, (uint32_t)mark->column + 1, build->err);
}

static struct doc_node *
build_scalar(struct build *build)
{
	const yaml_event_t *event = &build->yaml->event;
	const char *text = (const char *)event->data.scalar.value;
	const char *tag = (const char *)event->data.scalar.tag;
	size_t len = event->data.scalar.length;
	struct doc_node *node = new_node(build, DOC_STRING);
	int result = 0;

	if (node == NULL)
		return NULL;
	node->plain = tag == NULL && event->data.scalar.plain_implicit;
	if (tag != NULL)
		result = resolve_tagged(build, node, text, len, tag);
	else if (node->plain)
		result = resolve(build, node, text, len);
	else
		make_string(build, node, text, len);
	return result == 0 ? node : NULL;
}

/* Anchors and aliases. */

static struct anchor *
set_anchor(struct build *build, const yaml_char_t *name, struct doc_node *node)
{
	struct arena *arena = &build->doc->arena;
	const char *key = (const char *)name;
	struct anchor *anchor;

	if (name == NULL)
		return NULL;
	anchor = arena_zalloc(arena, sizeof(*anchor));
	anchor->node = node;
	anchor->open = true;
	strmap_put(&build->anchors, arena_strdup(arena, key), anchor);
	return anchor;
}

/* A copy of the tree under node; mark is the position of the alias. */
static struct doc_node *
copy(struct build *build, const struct doc_node *node, unsigned depth,
    yaml_mark_t mark)
{
	const struct doc_limits *limits = &build->reader->limits;
	struct doc_node *twin, *last = NULL, *child;

	if (++build->doc->values > limits->values ||
	    ++build->aliased > ALIASED_MAX) {
		FAIL(build, mark,
		    "more than %zu values in one document, aliases followed",
		    build->aliased > ALIASED_MAX ? ALIASED_MAX :
						   limits->values);
		return NULL;
	}
	if ((node->kind == DOC_ARRAY || node->kind == DOC_OBJECT) &&
	    depth >= limits->depth) {
		doc_fail_depth(build->err, build->doc->name,
		    (uint32_t)mark.line + 1, (uint32_t)mark.column + 1, limits);
		return NULL;
	}
	twin = arena_memdup(&build->doc->arena, node, sizeof(*node));
	twin->first = NULL;
	twin->next = NULL;
	twin->count = 0;
	for (node = node->first; node != NULL; node = node->next) {
		child = copy(build, node, depth + 1, mark);
		if (child == NULL)
			return NULL;
		doc_node_add(twin, &last, child);
	}
	return twin;
}

static struct doc_node *
build_alias(struct build *build, unsigned depth)
{
	const yaml_event_t *event = &build->yaml->event;
	const char *name = (const char *)event->data.alias.anchor;
	const struct anchor *anchor = strmap_get(&build->anchors, name);
	struct doc_node *twin;

	if (anchor == NULL) {
		FAIL(build, event->start_mark, "unknown anchor \"%s\"", name);
		return NULL;
	}
	if (anchor->open) {
		FAIL(build, event->start_mark,
		    "the value of anchor \"%s\" contains itself", name);
		return NULL;
	}
	twin = copy(build, anchor->node, depth, event->start_mark);
	if (twin != NULL) {
		twin->key = NULL;
		twin->merged = false;
	}
	return twin;
}

/* Keys. */

/* A number that is a key, as Go's 'g' format for float32 writes it; whole
 * numbers stay as they are. */
static const char *
number_key(struct arena *arena, const char *text)
{
	char shortest[64], *e;
	float value = strtof(text, NULL);
	int precision, exponent;

	if (strpbrk(text, ".eE") == NULL)
		return text;
	for (precision = 0; precision < 9; precision++) {
		snprintf(shortest, sizeof(shortest), "%.*e", precision,
		    (double)value);
		if (strtof(shortest, NULL) == value)
			break;
	}
	e = strchr(shortest, 'e');
	exponent = e != NULL ? atoi(e + 1) : 0;
	if (e == NULL || exponent < -4 || exponent >= 6)
		return arena_printf(arena, "%s", shortest);
	precision = precision > exponent ? precision - exponent : 0;
	return arena_printf(arena, "%.*f", precision, (double)value);
}

/* The key of a node, NULL: error. */
static const char *
key_text(struct build *build, const struct doc_node *node)
{
	switch (node->kind) {
	case DOC_STRING:
		if (strlen(node->text) == node->len)
			return node->text;
		return doc_key(build->doc, node->text, node->len);
	case DOC_NUMBER:
		return number_key(&build->doc->arena, node->text);
	case DOC_BOOL:
		return node->boolean ? "true" : "false";
	case DOC_NULL:
	case DOC_ARRAY:
	case DOC_OBJECT:
		break;
	}
	doc_errf(build->err, node, "a key must not be %s",
	    doc_kind_name(node->kind));
	return NULL;
}

static bool
is_merge(const yaml_event_t *event)
{
	const char *tag;

	if (event->type != YAML_SCALAR_EVENT ||
	    strcmp((const char *)event->data.scalar.value, "<<") != 0)
		return false;
	tag = (const char *)event->data.scalar.tag;
	return event->data.scalar.plain_implicit ||
	    (tag != NULL && strcmp(tag, TAG_PREFIX "merge") == 0);
}

/* Values.  build_value() leaves the event after the value as the current one;
 * the other functions leave the value's last event. */

static struct doc_node *build_value(struct build *build, unsigned depth);

/* Moves the members of `from` into the object. */
static int
merge_object(struct build *build, struct doc_node *object,
    struct doc_node **last, struct doc_node *from)
{
	struct doc_node *child, *next;

	if (from->kind != DOC_OBJECT)
		return doc_errf(build->err, from,
		    "\"<<\" needs an object or an array of objects, not %s",
		    doc_kind_name(from->kind));
	for (child = from->first; child != NULL; child = next) {
		next = child->next;
		child->merged = true;
		doc_node_add(object, last, child);
	}
	return 0;
}

static int
build_merge(struct build *build, struct doc_node *object,
    struct doc_node **last, unsigned depth)
{
	struct doc_node *value;
	bool alias;

	if (advance(build) != 0)
		return -1;
	alias = build->yaml->event.type == YAML_ALIAS_EVENT;
	value = build_value(build, depth);
	if (value == NULL)
		return -1;
	/* yaml.v2 takes an array only when it is written out. */
	if (value->kind == DOC_ARRAY && !alias) {
		/* From the last to the first: of several objects the first one
		 * counts. */
		AUTOFREE struct doc_node **elements =
		    xcalloc(value->count, sizeof(struct doc_node *));
		struct doc_node *element = value->first;
		size_t i = 0;

		for (; element != NULL; element = element->next)
			elements[i++] = element;
		while (i > 0)
			if (merge_object(build, object, last, elements[--i]) !=
			    0)
				return -1;
		return 0;
	}
	return merge_object(build, object, last, value);
}

static int
build_member(struct build *build, struct doc_node *object,
    struct doc_node **last, unsigned depth)
{
	const yaml_event_t *event = &build->yaml->event;
	struct doc_node *node;
	const char *key;

	if (is_merge(event))
		return build_merge(build, object, last, depth);
	if (event->type == YAML_SEQUENCE_START_EVENT)
		return FAIL(build, event->start_mark,
		    "a key must not be an array");
	if (event->type == YAML_MAPPING_START_EVENT)
		return FAIL(build, event->start_mark,
		    "a key must not be an object");
	node = build_value(build, depth);
	if (node == NULL)
		return -1;
	key = key_text(build, node);
	if (key == NULL)
		return -1;
	node = build_value(build, depth);
	if (node == NULL)
		return -1;
	node->key = key;
	doc_node_add(object, last, node);
	return 0;
}

/* All that is within an array or object of this depth. */
static int
build_children(struct build *build, struct doc_node *parent, unsigned depth)
{
	const yaml_event_t *event = &build->yaml->event;
	bool array = parent->kind == DOC_ARRAY;
	struct doc_node *last = NULL, *node;

	if (advance(build) != 0)
		return -1;
	while (event->type != YAML_SEQUENCE_END_EVENT &&
	    event->type != YAML_MAPPING_END_EVENT) {
		if (array) {
			node = build_value(build, depth);
			if (node == NULL)
				return -1;
			doc_node_add(parent, &last, node);
		} else if (build_member(build, parent, &last, depth) != 0) {
			return -1;
		}
	}
	if (!array)
		doc_node_settle(build->doc, parent);
	return 0;
}

static struct doc_node *
build_nested(struct build *build, unsigned depth)
{
	const yaml_event_t *event = &build->yaml->event;
	bool array = event->type == YAML_SEQUENCE_START_EVENT;
	struct doc_node *node;
	struct anchor *anchor;

	if (depth >= build->reader->limits.depth) {
		doc_fail_depth(build->err, build->doc->name,
		    (uint32_t)event->start_mark.line + 1,
		    (uint32_t)event->start_mark.column + 1,
		    &build->reader->limits);
		return NULL;
	}
	node = new_node(build, array ? DOC_ARRAY : DOC_OBJECT);
	if (node == NULL)
		return NULL;
	anchor = set_anchor(build,
	    array ? event->data.sequence_start.anchor :
		    event->data.mapping_start.anchor,
	    node);
	if (build_children(build, node, depth + 1) != 0)
		return NULL;
	if (anchor != NULL)
		anchor->open = false;
	return node;
}

static struct doc_node *
build_value(struct build *build, unsigned depth)
{
	const yaml_event_t *event = &build->yaml->event;
	struct doc_node *node;
	struct anchor *anchor;

	if (event->type == YAML_ALIAS_EVENT) {
		node = build_alias(build, depth);
	} else if (event->type == YAML_SCALAR_EVENT) {
		node = build_scalar(build);
		anchor = set_anchor(build, event->data.scalar.anchor, node);
		if (anchor != NULL)
			anchor->open = false;
	} else {
		node = build_nested(build, depth);
	}
	if (node == NULL || advance(build) != 0)
		return NULL;
	return node;
}

/* Nothing but a comment, or nothing at all. */
static bool
is_empty(const yaml_event_t *event)
{
	return event->type == YAML_SCALAR_EVENT &&
	    event->data.scalar.length == 0 &&
	    event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	    event->data.scalar.tag == NULL && event->data.scalar.anchor == NULL;
}

/* The document whose start is the current event. */
static int
build_document(struct build *build)
{
	if (advance(build) != 0)
		return -1;
	if (is_empty(&build->yaml->event)) {
		build->reader->passed_over_empty = true;
		return advance(build);
	}
	build->doc->root = build_value(build, 0);
	return build->doc->root != NULL ? 0 : -1;
}

int
doc_yaml_next(struct doc_reader *reader, struct err *err)
{
	struct build build = {
		.reader = reader,
		.doc = reader->doc,
		.yaml = reader->yaml,
		.err = err,
	};
	const yaml_event_t *event = &reader->yaml->event;
	int result = 0;

	/* The current event is the end of the previous document, or none. */
	while (result == 0 && reader->doc->root == NULL &&
	    event->type != YAML_STREAM_END_EVENT) {
		result = event->type == YAML_DOCUMENT_START_EVENT ?
		    build_document(&build) :
		    advance(&build);
	}
	strmap_fini(&build.anchors);
	if (result != 0)
		return -1;
	return reader->doc->root != NULL ? 1 : 0;
}
