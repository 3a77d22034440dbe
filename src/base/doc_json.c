/*
 * The JSON front end of doc.h.
 *
 * A walk over the text makes our tree, because json-c has no positions, keeps
 * only the last of repeated keys and rounds big numbers.  The walk rejects all
 * that json-c rejects, and also what it accepts although it is not JSON (NaN and
 * Infinity, control characters in strings, odd numbers), as Go's encoding/json
 * does.  json-c decodes escaped strings, and has the sentence about a text that
 * the walk has rejected, unless only some fields of it are read.
 */
#include "config.h"

#include <json-c/json_object.h>
#include <json-c/json_tokener.h>
#include <limits.h>

#include "base/doc_json_internal.h"

struct doc_json *
doc_json_new(const struct doc_reader *reader)
{
	struct doc_json *json = xcalloc(1, sizeof(*json));

	/* json-c counts the scalar in the innermost array, too. */
	json->tokener = json_tokener_new_ex((int)reader->limits.depth + 1);
	if (json->tokener == NULL)
		abort();
	json_tokener_set_flags(json->tokener,
	    JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	json->place = (struct doc_place){ reader->text, 1, 1 };
	return json;
}

void
doc_json_free(struct doc_json *json)
{
	if (json == NULL)
		return;
	json_tokener_free(json->tokener);
	free(json);
}

/* Errors and white space. */

/* At a character that cannot stand there: the likely mistake, or the sentence. */
static int
fail_unexpected(struct walk *walk, const char *at, const char *sentence)
{
	const char *before = at;

	if (at == walk->end)
		return FAIL_AT(walk, at, "%s", sentence);
	while (before > walk->reader->text && strchr(" \t\r\n", before[-1]))
		before--;
	if (*at == '<')
		sentence = "a placeholder in '<>' is not JSON";
	else if (before > walk->reader->text && before[-1] == ',' &&
	    (*at == ']' || *at == '}'))
		sentence = DOC_TRAILING_COMMA;
	return FAIL_AT(walk, at, "%s", sentence);
}

void
doc_walk_space(struct walk *walk)
{
	const char *p = walk->p, *end = walk->end;

	while (
	    p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
		if (*p++ == '\n' && !walk->adrift) {
			walk->place.at = p;
			walk->place.line++;
			walk->place.column = 1;
		}
		p = json_skip_blanks(p, end);
	}
	walk->p = p;
}

/* Strings. */

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Marks the bytes that are; a false alarm is possible behind the first. */
static inline uint64_t
has_zero(uint64_t word)
{
	return (word - EACH (1)) & ~word & EACH (0x80);
}

/* The first byte from p on that is not plain within a string: a quote, a
 * backslash, a control character or part of a wide character; or end. */
static const char *
skip_plain(const char *p, const char *end)
{
	uint64_t word;

	for (; end - p >= 8; p += 8) {
		memcpy(&word, p, 8);
		/* the last: less than 0x20, or 0x80 and more */
		if ((has_zero(word ^ EACH ('"')) |
			has_zero(word ^ EACH ('\\')) |
			(((word - EACH (0x20)) | word) & EACH (0x80))) != 0)
			break;
	}
	while (p < end && (unsigned char)*p >= 0x20 &&
	    (unsigned char)*p < 0x80 && *p != '"' && *p != '\\')
		p++;
	return p;
}

/* The string from quote to quote with its escapes taken out, or NULL. */
static const char *
unescape(struct walk *walk, const char *from, const char *to, size_t *len)
{
	struct json_object *string;
	const char *copy;

	if (to - from > INT_MAX) {
		FAIL_AT(walk, from, "string longer than %d bytes", INT_MAX);
		return NULL;
	}
	json_tokener_reset(walk->tokener);
	string = json_tokener_parse_ex(walk->tokener, from, (int)(to - from));
	if (!json_object_is_type(string, json_type_string)) {
		json_object_put(string);
		FAIL_AT(walk, from, "invalid string");
		return NULL;
	}
	*len = (size_t)json_object_get_string_len(string);
	copy = doc_text(walk->doc, json_object_get_string(string), len);
	json_object_put(string);
	return copy;
}

/* The string that begins at the quote walk->p, in the arena; NULL: error. */
static const char *
walk_string(struct walk *walk, size_t *len)
{
	const char *from = walk->p, *p = from + 1, *text;
	bool escaped = false, wide = false;

	for (;; p++) {
		p = skip_plain(p, walk->end);
		if (p == walk->end || *p == '"')
			break;
		if ((unsigned char)*p < 0x20) {
			FAIL_AT(walk, p, "control character in a string");
			return NULL;
		}
		wide |= (unsigned char)*p >= 0x80;
		if (*p == '\\' && p + 1 < walk->end) {
			escaped = true;
			p++;
		}
	}
	if (p >= walk->end) {
		FAIL_AT(walk, walk->end, EOF_SENTENCE);
		return NULL;
	}
	walk->p = p + 1;
	*len = (size_t)(p - from - 1);
	if (escaped)
		text = unescape(walk, from, walk->p, len);
	else if (walk->dry)
		text = "";
	else if (wide)
		text = doc_text(walk->doc, from + 1, len);
	else
		text = arena_strndup(&walk->doc->arena, from + 1, *len);
	if (wide && !walk->adrift && text != NULL)
		doc_place_move(&walk->place, walk->p);
	return text;
}

/* Numbers and words. */

static const char *
skip_digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* The end of the number at p, or NULL if p is not at one. */
static const char *
skip_number(const char *p, const char *end)
{
	const char *digits;

	p += p < end && *p == '-';
	digits = p;
	p = skip_digits(p, end);
	if (p == digits || (*digits == '0' && p > digits + 1))
		return NULL;
	if (p < end && *p == '.') {
		digits = p + 1;
		p = skip_digits(digits, end);
		if (p == digits)
			return NULL;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		p += p < end && (*p == '+' || *p == '-');
		digits = p;
		p = skip_digits(p, end);
		if (p == digits)
			return NULL;
	}
	return p;
}

static const struct word {
	const char *text;
	size_t len;
	enum doc_kind kind;
	bool boolean;
} words[] = {
	{ "true", 4, DOC_BOOL, true },
	{ "false", 5, DOC_BOOL, false },
	{ "null", 4, DOC_NULL, false },
};

/* Values. */

static struct doc_node *walk_value(struct walk *walk, unsigned depth);

static struct doc_node *
new_node(struct walk *walk, enum doc_kind kind)
{
	struct doc_place place = doc_walk_place(walk);

	if (walk->dry) {
		walk->unused = (struct doc_node){ .kind = kind };
		return &walk->unused;
	}
	return doc_node_new(walk->doc, walk->limits, kind, place.line,
	    place.column, walk->err);
}

static struct doc_node *
walk_scalar(struct walk *walk)
{
	const char *from = walk->p, *to;
	const struct word *word = FIND(i, words, LENGTH(words),
	    (size_t)(walk->end - from) >= words[i].len &&
		memcmp(from, words[i].text, words[i].len) == 0);
	struct doc_node *node;

	if (word != NULL) {
		node = new_node(walk, word->kind);
		if (node != NULL)
			node->boolean = word->boolean;
		walk->p += word->len;
		return node;
	}
	to = skip_number(from, walk->end);
	if (to == NULL) {
		fail_unexpected(walk, from, "not a JSON value");
		return NULL;
	}
	node = new_node(walk, DOC_NUMBER);
	if (node == NULL)
		return NULL;
	node->len = (size_t)(to - from);
	if (!walk->dry)
		node->text = arena_strndup(&walk->doc->arena, from, node->len);
	walk->p = to;
	return node;
}

int
doc_walk_separator(struct walk *walk, char end)
{
	if (!doc_walk_more(walk))
		return -1;
	if (*walk->p != ',' && *walk->p != end)
		return FAIL_AT(walk, walk->p, "expected ',' or '%c'", end);
	return *walk->p++ == ',';
}

static int
walk_elements(struct walk *walk, struct doc_node *array, unsigned depth)
{
	const struct doc_field *fields = walk->fields;
	struct doc_node *last = NULL, *child;
	int result;

	do {
		walk->fields = fields;
		child = walk_value(walk, depth);
		if (child == NULL)
			return -1;
		if (!walk->dry)
			doc_node_add(array, &last, child);
		result = doc_walk_separator(walk, ']');
	} while (result == 1);
	return result;
}

const char *
doc_walk_key(struct walk *walk)
{
	const char *from, *key;
	size_t len;

	if (!doc_walk_more(walk))
		return NULL;
	from = walk->p;
	if (*from != '"') {
		fail_unexpected(walk, from, "expected a key in double quotes");
		return NULL;
	}
	key = walk_string(walk, &len);
	if (key == NULL)
		return NULL;
	/* Only an escape can have made a NUL. */
	if (len + 2 != (size_t)(walk->p - from) && strlen(key) != len)
		key = doc_key(walk->doc, key, len);
	if (!doc_walk_more(walk))
		return NULL;
	if (*walk->p != ':') {
		FAIL_AT(walk, walk->p, "expected ':' after a key");
		return NULL;
	}
	walk->p++;
	return key;
}

static int
pass_over(struct walk *walk)
{
	if (doc_walk_skip(walk) != 0)
		return -1;
	if (!walk->adrift)
		doc_place_move(&walk->place, walk->p);
	return 1;
}

/* 1: the member with this key is left out and was passed over; 0: it is not, and
 * walk->fields are its own; -1: error. */
static int
leave_out(struct walk *walk, const char *key, unsigned depth)
{
	const char *which = walk->limits->leave_out;
	const struct doc_field *field;
	int result;

	if (walk->fields != NULL) {
		field = doc_field(walk->fields, key);
		if (field == NULL)
			return doc_walk_more(walk) ? pass_over(walk) : -1;
		walk->fields = field->within;
		return 0;
	}
	if (which == NULL || walk->dry || strcmp(key, which) != 0)
		return 0;
	if (!doc_walk_more(walk))
		return -1;
	if (*walk->p != '[')
		return 0;
	walk->dry = true;
	result = walk_value(walk, depth) != NULL ? 1 : -1;
	walk->dry = false;
	return result;
}

static int
walk_members(struct walk *walk, struct doc_node *object, unsigned depth)
{
	const struct doc_field *fields = walk->fields;
	struct doc_node *last = NULL, *child;
	const char *key;
	int result;

	do {
		walk->fields = fields;
		key = doc_walk_key(walk);
		if (key == NULL)
			return -1;
		result = leave_out(walk, key, depth);
		if (result < 0)
			return -1;
		if (result == 0) {
			child = walk_value(walk, depth);
			if (child == NULL)
				return -1;
			child->key = key;
			if (!walk->dry)
				doc_node_add(object, &last, child);
		}
		result = doc_walk_separator(walk, '}');
	} while (result == 1);
	if (result == 0 && !walk->dry)
		doc_node_settle(walk->doc, object);
	return result;
}

/* An array or object; depth is that of its parent. */
static struct doc_node *
walk_nested(struct walk *walk, unsigned depth)
{
	bool array = *walk->p == '[';
	struct doc_node *node;
	int result;

	if (depth >= walk->limits->depth && walk->dry)
		return pass_over(walk) == 1 ? &walk->unused : NULL;
	if (depth >= walk->limits->depth) {
		doc_place_move(&walk->place, walk->p);
		doc_fail_depth(walk->err, walk->doc->name, walk->place.line,
		    walk->place.column, walk->limits);
		return NULL;
	}
	node = new_node(walk, array ? DOC_ARRAY : DOC_OBJECT);
	walk->p++;
	if (node == NULL || !doc_walk_more(walk))
		return NULL;
	if (*walk->p == (array ? ']' : '}')) {
		walk->p++;
		return node;
	}
	result = array ? walk_elements(walk, node, depth + 1) :
			 walk_members(walk, node, depth + 1);
	return result == 0 ? node : NULL;
}

static struct doc_node *
walk_value(struct walk *walk, unsigned depth)
{
	struct doc_node *node;

	if (!doc_walk_more(walk))
		return NULL;
	if (*walk->p == '{' || *walk->p == '[')
		return walk_nested(walk, depth);
	if (*walk->p != '"')
		return walk_scalar(walk);
	node = new_node(walk, DOC_STRING);
	if (node == NULL)
		return NULL;
	node->text = walk_string(walk, &node->len);
	return node->text != NULL ? node : NULL;
}

/* json-c. */

/* Replaces the walk's error about the value at walk->p by that of json-c. */
static void
explain(struct walk *walk)
{
	size_t len = (size_t)(walk->end - walk->p);
	enum json_tokener_error error;
	const char *at;

	json_tokener_reset(walk->tokener);
	json_object_put(json_tokener_parse_ex(walk->tokener, walk->p,
	    len < INT_MAX ? (int)len : INT_MAX));
	error = json_tokener_get_error(walk->tokener);
	at = walk->p + json_tokener_get_parse_end(walk->tokener);
	if (error == json_tokener_continue && len > INT_MAX)
		FAIL_AT(walk, walk->p, "value longer than %d bytes", INT_MAX);
	else if (error == json_tokener_continue)
		FAIL_AT(walk, walk->end, EOF_SENTENCE);
	/* json-c notices a bracket too many only behind it. */
	else if (error != json_tokener_success &&
	    error != json_tokener_error_depth)
		fail_unexpected(walk, at, json_tokener_error_desc(error));
}

struct doc_node *
doc_walk_parse(struct walk *walk, unsigned depth)
{
	struct doc_node *node;
	struct walk start;

	doc_walk_space(walk);
	start = *walk;
	node = walk_value(walk, depth);
	if (node == NULL && start.fields == NULL)
		explain(&start);
	return node;
}
