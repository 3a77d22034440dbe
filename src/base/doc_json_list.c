/*
 * The elements of JSON lists, one by one.
 *
 * Of a list (see doc_open_text()) only the frame is read at first: one pass
 * that checks that brackets match finds kind and items.  The elements are then
 * parsed one by one, so that the tree of one element is all that is held.
 */
#include "config.h"

#include "base/doc_json_internal.h"

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Past the closing quote of the string at p, or NULL. */
static const char *
skip_string(const char *p, const char *end)
{
	const char *from = ++p, *slash;

	while (p < end && (p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		for (slash = p; slash > from && slash[-1] == '\\'; slash--)
			;
		p++;
		if ((p - 1 - slash) % 2 == 0)
			return p;
	}
	return NULL;
}

/* The bytes at which skip_nested() must look. */
static const bool structural[256] = {
	['"'] = true,
	['['] = true,
	[']'] = true,
	['{'] = true,
	['}'] = true,
	['\n'] = true,
};

/*
 * Passes over the array or object at walk->p; fails if its brackets do not
 * match.
 */
static int
skip_nested(struct walk *walk)
{
	AUTOFREE char *closing = NULL; /* brackets, innermost last */
	size_t n = 0, cap = 0;
	const char *p = walk->p, *after;

	do {
		while (p < walk->end && !structural[(unsigned char)*p])
			p++;
		if (p == walk->end)
			return FAIL_AT(walk, p, EOF_SENTENCE);
		if (*p == '\n') { /* blanks are half of kubectl's output */
			p = json_skip_blanks(p + 1, walk->end);
			continue;
		}
		if (*p == '"') {
			after = skip_string(p, walk->end);
			if (after == NULL)
				return FAIL_AT(walk, walk->end, EOF_SENTENCE);
			p = after;
			continue;
		}
		if (*p == '[' || *p == '{') {
			vec_room(closing, n, &cap);
			closing[n++] = *p == '[' ? ']' : '}';
		} else if (*p != closing[--n]) {
			return FAIL_AT(walk, p, "expected '%c'", closing[n]);
		}
		p++;
		doc_passed(walk->reader, p);
	} while (n > 0);
	walk->p = p;
	return 0;
}

/* Stores the value of a member of the frame. */
struct frame {
	const char *items, *kind; /* the values' first bytes, or NULL */
	const char *items_end;
	const char *end; /* after the closing brace */
};

int
doc_walk_skip(struct walk *walk)
{
	const char *p = walk->p;

	if (*p == '{' || *p == '[')
		return skip_nested(walk);
	if (*p == '"') {
		p = skip_string(p, walk->end);
		if (p == NULL)
			return FAIL_AT(walk, walk->end, EOF_SENTENCE);
	} else {
		while (p < walk->end && strchr(",]} \t\r\n", *p) == NULL)
			p++;
	}
	walk->p = p;
	return 0;
}

static int
scan_frame(struct walk *walk, struct frame *frame)
{
	const char *key, *value;
	int result = 0;

	walk->p++;
	if (!doc_walk_more(walk))
		return -1;
	if (*walk->p == '}')
		walk->p++;
	else
		result = 1;
	while (result == 1) {
		key = doc_walk_key(walk);
		if (key == NULL || !doc_walk_more(walk))
			return -1;
		value = walk->p;
		if (doc_walk_skip(walk) != 0)
			return -1;
		if (strcmp(key, "items") == 0) {
			frame->items = value;
			frame->items_end = walk->p;
		} else if (strcmp(key, "kind") == 0) {
			frame->kind = value;
		}
		result = doc_walk_separator(walk, '}');
	}
	frame->end = walk->p;
	return result;
}

/* All of the frame but the elements must be JSON as well. */
static int
check_frame(struct walk *walk, const struct frame *frame)
{
	int result;

	walk->p++;
	do {
		if (doc_walk_key(walk) == NULL || !doc_walk_more(walk))
			return -1;
		if (walk->p == frame->items && *walk->p == '[')
			walk->p = frame->items_end;
		else if (doc_walk_parse(walk, 1) == NULL)
			return -1;
		result = doc_walk_separator(walk, '}');
	} while (result == 1);
	return result;
}

/* 1: the frame is a list's, and *kind is its kind, you own it, or NULL;
 * 0: it is not; -1: error. */
static int
read_kind(struct walk walk, const struct frame *frame, char **kind)
{
	struct doc_node *node = NULL;
	bool null;
	size_t len;

	if (frame->items == NULL)
		return 0;
	if (frame->kind != NULL) {
		walk.p = frame->kind;
		node = doc_walk_parse(&walk, 1);
		if (node == NULL)
			return -1;
		if (node->kind == DOC_NULL)
			node = NULL;
		else if (node->kind != DOC_STRING)
			return 0;
	}
	if (!doc_list_kind(node != NULL ? node->text : NULL, &len))
		return 0;
	null = *frame->items == 'n' && node != NULL;
	if (*frame->items != '[' && !null)
		return 0;
	*kind = xstrndup(len > 0 ? node->text : "", len);
	return 1;
}

/*
 * When the object at json->place is a list: 1, and json->place is then its
 * first element, if any.  0: it is none.
 */
static int
enter_list(struct doc_reader *reader, struct walk walk)
{
	struct doc_json *json = reader->json;
	struct frame frame = { 0 };
	struct walk again;
	char *kind;
	int result;

	walk.adrift = true;
	again = walk;
	if (scan_frame(&walk, &frame) != 0)
		return -1;
	walk = again;
	doc_passed_again(reader, walk.p);
	result = read_kind(walk, &frame, &kind);
	if (result != 1)
		return result;
	reader->json_kind = kind;
	if (check_frame(&walk, &frame) != 0)
		return -1;
	if (*frame.items != '[')
		frame.items = frame.end - 2; /* null: as if it were empty */
	json->in_list = json->first_item = true;
	json->list_end = frame.end;
	doc_place_move(&json->place, frame.items + 1);
	return 1;
}

/* 1: an element, 0: the end of this list, -1: error. */
static int
next_item(struct doc_reader *reader, struct walk *walk)
{
	struct doc_json *json = reader->json;
	char c;
	int result = 1;

	if (!doc_walk_more(walk))
		return -1;
	c = *walk->p;
	if (!json->first_item)
		result = doc_walk_separator(walk, ']');
	else if (c == ']' || c == '}')
		result = 0;
	json->first_item = false;
	if (result == 0) {
		doc_place_move(&reader->json->place, reader->json->list_end);
		reader->json->in_list = false;
		free(reader->json_kind);
		reader->json_kind = NULL;
	}
	if (result != 1)
		return result;
	doc_walk_space(walk);
	json->item = walk->p;
	json->place = doc_walk_place(walk);
	walk->fields = walk->limits->fields;
	walk->doc->root = doc_walk_parse(walk, 2);
	if (walk->doc->root == NULL)
		return -1;
	json->item_end = walk->p;
	json->place = doc_walk_place(walk);
	return 1;
}

/* Where the element ends, in which the walk has failed; NULL: not in one. */
static const char *
find_item_end(const struct doc_reader *reader)
{
	struct walk walk = {
		.reader = (struct doc_reader *)reader,
		.doc = reader->doc,
		.limits = &reader->limits,
		.adrift = true,
		.end = reader->end,
		.err = NULL,
	};

	if (reader->json == NULL || reader->json->item == NULL)
		return NULL;
	if (reader->json->item_end != NULL)
		return reader->json->item_end;
	walk.p = reader->json->item;
	walk.place.at = walk.p;
	return doc_walk_skip(&walk) == 0 ? walk.p : NULL;
}

bool
doc_item_text(const struct doc_reader *reader, const char **text, size_t *len)
{
	const char *end = find_item_end(reader);

	if (end == NULL)
		return false;
	*text = reader->json->item;
	*len = (size_t)(end - *text);
	return true;
}

bool
doc_pass_over(struct doc_reader *reader)
{
	const char *end = find_item_end(reader);

	if (!reader->done || end == NULL || reader->json->item_end != NULL)
		return false;
	doc_place_move(&reader->json->place, end);
	reader->json->item_end = end;
	reader->done = false;
	return true;
}

#define LOGS_BEGIN "==== START logs for container "
#define MOST_LINE 1024 /* names have up to 253 bytes */

/*
 * `kubectl cluster-info dump` prints the logs of containers between its lists:
 *
 *	==== START logs for container C of pod NS/P ====
 *	==== END logs for container C of pod NS/P ====
 *
 * 1: passes over them, whatever they hold, up to the first line's counterpart, which
 * stands in a line of others if the last one has no end; 0: none begin here.
 */
static int
skip_logs(struct walk *walk)
{
	const size_t begin = strlen(LOGS_BEGIN), start = strlen("==== START");
	const size_t left = (size_t)(walk->end - walk->p);
	const char *line = walk->p, *end;
	AUTOFREE char *last = NULL;

	if (!walk->reader->lists || left < begin ||
	    memcmp(line, LOGS_BEGIN, begin) != 0)
		return 0;
	end = memchr(line, '\n', left < MOST_LINE ? left : MOST_LINE);
	if (end != NULL) {
		last = xasprintf("==== END%.*s", (int)(end + 1 - line - start),
		    line + start);
		end =
		    memmem(end, (size_t)(walk->end - end), last, strlen(last));
	}
	if (end == NULL)
		return FAIL_AT(walk, line,
		    "the logs that begin here do not end");
	doc_place_move(&walk->reader->json->place, end + strlen(last));
	return 1;
}

int
doc_json_next(struct doc_reader *reader, struct err *err)
{
	struct doc_json *json = reader->json;
	struct walk walk = {
		.reader = reader,
		.doc = reader->doc,
		.limits = &reader->limits,
		.tokener = json->tokener,
		.end = reader->end,
		.err = err,
	};
	int result;

	doc_passed(reader, json->place.at);
	json->item = json->item_end = NULL;
	for (;;) {
		walk.place = json->place;
		walk.p = json->place.at;
		if (json->in_list) {
			result = next_item(reader, &walk);
			if (result != 0)
				return result;
			continue;
		}
		walk.p = skip_space(walk.p, walk.end);
		if (walk.p == walk.end)
			return 0;
		result = skip_logs(&walk);
		if (result < 0)
			return -1;
		if (result > 0)
			continue;
		if (*walk.p != '{' && *walk.p != '[')
			return FAIL_AT(&walk, walk.p,
			    "expected '{', '[' or the end of the text");
		doc_place_move(&walk.place, walk.p);
		json->place = walk.place;
		if (!reader->lists || *walk.p != '{')
			break;
		result = enter_list(reader, walk);
		if (result < 0)
			return -1;
		if (result == 0)
			break;
	}
	walk.fields = reader->limits.fields;
	walk.doc->root = doc_walk_parse(&walk, 0);
	if (walk.doc->root == NULL)
		return -1;
	json->place = doc_walk_place(&walk);
	return 1;
}
