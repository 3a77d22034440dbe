/*
 * Documents as such: the tree, the getters, and the reader that feeds text to
 * one of the two front ends.
 */
#include "config.h"

#include "base/doc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/doc_internal.h"
#include "base/file.h"
#include "base/map.h"
#include "base/utf8.h"

/* Takes precedence over the limits: reading, copying and freeing recurse. */
#define DEPTH_MAX 10000

/* Objects up to this size are searched for repeated keys without a table. */
#define FEW_KEYS 16

const struct doc_limits doc_limits_people = {
	.bytes = (size_t)64 << 20,
	.depth = 100,
	.values = 2 * 1000 * 1000,
};

const struct doc_limits doc_limits_dump = {
	.bytes = (size_t)2 << 30,
	.depth = 100,
	.values = 64 * 1000 * 1000,
	.leave_out = "managedFields",
};

/* Places and errors. */

void
doc_place_move(struct doc_place *place, const char *to)
{
	const char *at = place->at;

	for (; at < to; at++) {
		if (*at == '\n') {
			place->line++;
			place->column = 1;
		} else if (((unsigned char)*at & 0xc0) != 0x80) {
			place->column++;
		}
	}
	place->at = at;
}

static int
vfail(struct err *err, const char *name, uint32_t line, uint32_t column,
    const char *fmt, va_list ap)
{
	AUTOFREE char *sentence = xvasprintf(fmt, ap);

	if (line == 0)
		return errf(err, "%s: byte %" PRIu32 ": %s", name, column,
		    sentence);
	return errf(err, "%s:%" PRIu32 ":%" PRIu32 ": %s", name, line, column,
	    sentence);
}

int
doc_fail(struct err *err, const char *name, uint32_t line, uint32_t column,
    const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfail(err, name, line, column, fmt, ap);
	va_end(ap);
	return -1;
}

int
doc_fail_depth(struct err *err, const char *name, uint32_t line,
    uint32_t column, const struct doc_limits *limits)
{
	return doc_fail(err, name, line, column,
	    "nested more than %u levels deep", limits->depth);
}

int
doc_errf(struct err *err, const struct doc_node *node, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfail(err, node->doc->name, node->line, node->column, fmt, ap);
	va_end(ap);
	return -1;
}

/* Strings. */

const char *
doc_text(struct doc *doc, const char *text, size_t *len)
{
	const unsigned char *p = (const unsigned char *)text, *end = p + *len;
	size_t n, bad = 0;
	char *copy, *to;

	for (; p<end; p += n> 0 ? n : 1) {
		n = utf8_len(p, end);
		bad += n == 0;
	}
	if (bad == 0)
		return arena_strndup(&doc->arena, text, *len);
	copy = to = arena_alloc(&doc->arena, *len + bad * 2 + 1);
	for (p = (const unsigned char *)text; p<end; p += n> 0 ? n : 1) {
		n = utf8_len(p, end);
		to = n > 0 ? mempcpy(to, p, n) :
			     mempcpy(to, UTF8_REPLACEMENT, 3);
	}
	*to = '\0';
	*len = (size_t)(to - copy);
	return copy;
}

/* In place of a NUL; see doc.h. */
#define KEY_NUL "\xc0\x80"

const char *
doc_key(struct doc *doc, const char *text, size_t len)
{
	const char *from = doc_text(doc, text, &len), *end = from + len;
	char *key, *to;

	if (memchr(from, '\0', len) == NULL)
		return from;
	key = to = arena_alloc(&doc->arena, len * 2 + 1);
	for (; from < end; from++)
		if (*from == '\0')
			to = mempcpy(to, KEY_NUL, 2);
		else
			*to++ = *from;
	*to = '\0';
	return key;
}

/* The tree. */

struct doc_node *
doc_node_new(struct doc *doc, const struct doc_limits *limits,
    enum doc_kind kind, uint32_t line, uint32_t column, struct err *err)
{
	struct doc_node *node;

	if (++doc->values > limits->values) {
		doc_fail(err, doc->name, line, column,
		    "more than %zu values in one document", limits->values);
		return NULL;
	}
	node = arena_zalloc(&doc->arena, sizeof(*node));
	node->kind = kind;
	node->line = line;
	node->column = column;
	node->doc = doc;
	return node;
}

void
doc_node_add(struct doc_node *parent, struct doc_node **last,
    struct doc_node *child)
{
	if (*last == NULL)
		parent->first = child;
	else
		(*last)->next = child;
	*last = child;
	child->next = NULL;
	parent->count++;
}

/* The key of `old` comes again with `new`. */
static void
supersede(struct doc *doc, struct doc_node *old, struct doc_node *new)
{
	old->doc = NULL; /* marks it until sweep() */
	if (old->merged || new->merged)
		return;
	arena_room(&doc->arena, doc->dups, doc->ndups, &doc->dups_cap);
	doc->dups[doc->ndups++] = new;
}

static void
sweep(struct doc *doc, struct doc_node *object)
{
	struct doc_node **link = &object->first;

	while (*link != NULL) {
		struct doc_node *node = *link;

		if (node->doc != NULL) {
			link = &node->next;
			continue;
		}
		node->doc = doc;
		*link = node->next;
		object->count--;
	}
}

void
doc_node_settle(struct doc *doc, struct doc_node *object)
{
	if (object->count <= FEW_KEYS) {
		struct doc_node *new;
		struct doc_node *old;

		for (new = object->first; new != NULL; new = new->next)
			for (old = object->first; old != new; old = old->next)
				if (old->doc != NULL &&
				    doc_same_key(old->key, new->key))
					supersede(doc, old, new);
	} else {
		struct strmap seen = { 0 };
		struct doc_node *new;
		struct doc_node *old;

		for (new = object->first; new != NULL; new = new->next) {
			old = strmap_put(&seen, new->key, new);
			if (old != NULL)
				supersede(doc, old, new);
		}
		strmap_fini(&seen);
	}
	sweep(doc, object);
}

/* The nodes are the document's, which owns it and may change it. */
void
doc_prune(struct doc *doc, const struct doc_node *node,
    const struct doc_field *fields)
{
	const struct doc_field *field;
	struct doc_node *child;

	for (child = node->first; child != NULL; child = child->next) {
		if (node->kind == DOC_OBJECT) {
			field = doc_field(fields, child->key);
			if (field == NULL)
				child->doc = NULL; /* marks it until sweep() */
			else if (field->within != NULL)
				doc_prune(doc, child, field->within);
		} else {
			doc_prune(doc, child, fields);
		}
	}
	if (node->kind == DOC_OBJECT)
		sweep(doc, (struct doc_node *)node);
}

struct doc *
doc_new(const char *name)
{
	struct doc *doc = xcalloc(1, sizeof(*doc));

	doc->name = xstrdup(name);
	return doc;
}

void
doc_clear(struct doc *doc)
{
	struct arena arena = doc->arena;
	char *name = doc->name;

	arena_reset(&arena);
	*doc = (struct doc){ .arena = arena, .name = name };
}

void
doc_free(struct doc *doc)
{
	if (doc == NULL)
		return;
	arena_fini(&doc->arena);
	free(doc->name);
	free(doc);
}

void
doc_set_root(struct doc *doc, struct doc_node *root)
{
	doc->root = root;
}

struct arena *
doc_arena(struct doc *doc)
{
	return &doc->arena;
}

const struct doc_node *
doc_root(const struct doc *doc)
{
	return doc->root;
}

const char *
doc_name(const struct doc *doc)
{
	return doc->name;
}

const struct doc_node *
doc_duplicate(const struct doc *doc, size_t i)
{
	return i < doc->dup_to - doc->dup_from ? doc->dups[doc->dup_from + i] :
						 NULL;
}

/* Lists. */

bool
doc_list_kind(const char *kind, size_t *len)
{
	size_t n;

	*len = 0;
	if (kind == NULL || *kind == '\0')
		return true;
	n = strlen(kind);
	if (n < 4 || strcmp(kind + n - 4, "List") != 0)
		return false;
	*len = n - 4;
	return true;
}

/* The elements' level when root is a list, otherwise NULL. */
static struct doc_level *
enter_list(struct doc_reader *reader, const struct doc_node *root)
{
	const struct doc_node *items = doc_member(root, "items");
	const struct doc_node *kind = doc_get(root, "kind");
	struct doc_level *level;
	size_t len;

	if (items == NULL || (kind != NULL && kind->kind != DOC_STRING))
		return NULL;
	/* An element without a kind has the kind that its list implies, and is
	 * not a list. */
	if (kind == NULL &&
	    (reader->level != NULL || reader->json_kind != NULL))
		return NULL;
	if (!doc_list_kind(kind != NULL ? kind->text : NULL, &len))
		return NULL;
	if (items->kind != DOC_ARRAY &&
	    (items->kind != DOC_NULL || kind == NULL))
		return NULL;
	level = arena_zalloc(&reader->doc->arena, sizeof(*level));
	level->next = items->first;
	level->kind = "";
	if (len > 0)
		level->kind =
		    arena_strndup(&reader->doc->arena, kind->text, len);
	level->outer = reader->level;
	return level;
}

static bool
before(const struct doc_node *a, const struct doc_node *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/*
 * Narrows doc_duplicate() to this element of reader->level.  An element's
 * duplicates stand together in dups, because its objects end before the next
 * element begins.
 */
static void
show_duplicates_of(struct doc_reader *reader, const struct doc_node *element)
{
	const struct doc_level *level = reader->level;
	struct doc *doc = reader->doc;
	size_t i = doc->dup_to;

	while (level->next == NULL && level->outer != NULL)
		level = level->outer;
	while (i < doc->ndups && before(doc->dups[i], element))
		i++;
	doc->dup_from = i;
	while (i < doc->ndups &&
	    (level->next == NULL || before(doc->dups[i], level->next)))
		i++;
	doc->dup_to = i;
}

/* The reader. */

void
doc_give_back(struct doc_reader *reader, const char *p)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)reader->passed & ~(page - 1);
	uintptr_t to = (uintptr_t)p & ~(page - 1);

	if (reader->mapped != NULL && to > from)
		madvise((void *)from, to - from, MADV_DONTNEED);
	reader->passed = p;
}

void
doc_passed_again(struct doc_reader *reader, const char *p)
{
	doc_give_back(reader, reader->end);
	reader->passed = p;
}

static const char *
find_nul(struct doc_reader *reader)
{
	const char *p = reader->text, *nul = NULL;

	while (nul == NULL && p < reader->end) {
		size_t len = (size_t)(reader->end - p);

		if (len > (size_t)DOC_PASSED_STEP)
			len = (size_t)DOC_PASSED_STEP;
		nul = memchr(p, '\0', len);
		p += len;
		doc_passed(reader, p);
	}
	reader->passed = reader->text;
	return nul;
}

struct doc_reader *
doc_open_text(const char *name, const char *text, size_t len,
    const struct doc_limits *limits, bool lists)
{
	struct doc_reader *reader = xcalloc(1, sizeof(*reader));

	reader->name = xstrdup(name);
	reader->text = reader->passed = text;
	reader->end = text + len;
	reader->limits = *limits;
	if (reader->limits.depth > DEPTH_MAX)
		reader->limits.depth = DEPTH_MAX;
	reader->lists = lists;
	reader->doc = doc_new(reader->name);
	return reader;
}

/* Fails if the text is compressed, with the way to read it. */
static int
check_uncompressed(const struct doc_reader *reader, size_t len, struct err *err)
{
	static const struct {
		const char *magic, *name, *command;
	} formats[] = {
		{ "\x1f\x8b", "gzip", "zcat" },
		{ "\x28\xb5\x2f\xfd", "zstd", "zstdcat" },
		{ "\xfd\x37zXZ", "xz", "xzcat" },
	};

	for (size_t i = 0; i < LENGTH(formats); i++) {
		size_t n = strlen(formats[i].magic);

		if (len >= n && memcmp(reader->text, formats[i].magic, n) == 0)
			return errf(err,
			    "%s: compressed with %s: use %s FILE | "
			    "predicatectl ... --cluster -",
			    reader->name, formats[i].name, formats[i].command);
	}
	return 0;
}

/* Rejects input that is too big, compressed or binary; skips a byte order mark. */
static int
check_text(struct doc_reader *reader, struct err *err)
{
	struct doc_place place = { reader->text, 1, 1 };
	size_t len = (size_t)(reader->end - reader->text);
	const char *nul;

	reader->checked = true;
	if (len > reader->limits.bytes)
		return errf(err, "%s: %zu bytes exceed the limit of %zu",
		    reader->name, len, reader->limits.bytes);
	if (check_uncompressed(reader, len, err) != 0)
		return -1;
	if (len >= 3 && memcmp(reader->text, "\xef\xbb\xbf", 3) == 0) {
		reader->text += 3;
		place.at += 3;
	}
	nul = find_nul(reader);
	if (nul == NULL)
		return 0;
	doc_place_move(&place, nul);
	return doc_fail(err, reader->name, place.line, place.column,
	    "not JSON or YAML: there is a NUL byte");
}

static int
too_big(struct err *err, const char *name, const struct doc_limits *limits)
{
	return errf(err, "%s: larger than the limit of %zu bytes", name,
	    limits->bytes);
}

static int
read_all(struct doc_reader *reader, int fd, struct err *err)
{
	size_t len;

	reader->owned = file_read(fd, reader->limits.bytes, &len);
	if (reader->owned == NULL)
		return errno == EFBIG ?
		    too_big(err, reader->name, &reader->limits) :
		    errf(err, "%s: %s", reader->name, strerror(errno));
	reader->text = reader->passed = reader->owned;
	reader->end = reader->owned + len;
	return 0;
}

static int
load(struct doc_reader *reader, int fd, struct err *err)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		return errf(err, "%s: %s", reader->name, strerror(errno));
	/* Files in /proc say that they are empty: read those. */
	if (S_ISREG(st.st_mode) && st.st_size > 0 &&
	    lseek(fd, 0, SEEK_CUR) == 0) {
		void *p;

		if (st.st_size < 0 ||
		    (uintmax_t)st.st_size > reader->limits.bytes)
			return too_big(err, reader->name, &reader->limits);
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
		    0);
		if (p == MAP_FAILED)
			return read_all(reader, fd, err);
		reader->mapped = p;
		reader->nmapped = (size_t)st.st_size;
		reader->text = reader->passed = p;
		reader->end = reader->text + reader->nmapped;
		return 0;
	}
	return read_all(reader, fd, err);
}

struct doc_reader *
doc_open_file(const char *path, const struct doc_limits *limits, bool lists,
    struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct doc_reader *reader =
	    doc_open_text(is_stdin ? "stdin" : path, "", 0, limits, lists);
	int fd, result;

	if (lists || is_stdin) {
		fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
		result = load(reader, fd, err);
		if (fd > STDIN_FILENO)
			close(fd);
	} else {
		size_t len = 0;

		reader->owned = file_load(path, limits->bytes, &len, NULL, err);
		result = reader->owned != NULL ? 0 : -1;
		reader->text = reader->passed = reader->end = reader->owned;
		if (result == 0)
			reader->end += len;
	}
	if (result == 0)
		result = check_text(reader, err);
	if (result == 0)
		return reader;
	doc_close(reader);
	return NULL;
}

void
doc_close(struct doc_reader *reader)
{
	if (reader == NULL)
		return;
	doc_json_free(reader->json);
	doc_yaml_free(reader->yaml);
	doc_free(reader->doc);
	if (reader->mapped != NULL)
		munmap(reader->mapped, reader->nmapped);
	free(reader->owned);
	free(reader->json_kind);
	free(reader->name);
	free(reader);
}

static bool
is_json(const struct doc_reader *reader)
{
	const char *p = reader->text;

	while (p < reader->end &&
	    (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++;
	return p < reader->end && (*p == '{' || *p == '[');
}

/* The next tree from the front end, in reader->doc. */
static int
next_tree(struct doc_reader *reader, struct err *err)
{
	int result;

	if (!reader->checked && check_text(reader, err) != 0)
		return -1;
	if (reader->json == NULL && reader->yaml == NULL) {
		if (is_json(reader))
			reader->json = doc_json_new(reader);
		else
			reader->yaml = doc_yaml_new(reader);
	}
	doc_clear(reader->doc);
	result = reader->json != NULL ? doc_json_next(reader, err) :
					doc_yaml_next(reader, err);
	reader->doc->dup_to = reader->doc->ndups;
	return result;
}

int
doc_next(struct doc_reader *reader, const struct doc_node **root,
    struct err *err)
{
	struct doc_level *level;
	const struct doc_node *node;
	int result;

	if (reader->done)
		return 0;
	for (;;) {
		while (reader->level != NULL && reader->level->next == NULL)
			reader->level = reader->level->outer;
		if (reader->level != NULL) {
			node = reader->level->next;
			reader->level->next = node->next;
			show_duplicates_of(reader, node);
		} else {
			result = next_tree(reader, err);
			reader->done = result != 1;
			if (result != 1)
				return result;
			node = reader->doc->root;
		}
		level = reader->lists ? enter_list(reader, node) : NULL;
		if (level == NULL)
			break;
		reader->level = level;
		reader->doc->dup_to = reader->doc->dup_from;
	}
	*root = node;
	return 1;
}

const char *
doc_item_kind(const struct doc_reader *reader)
{
	if (reader->level != NULL)
		return reader->level->kind;
	return reader->json_kind != NULL ? reader->json_kind : "";
}

const char *
doc_whole_text(const struct doc_reader *reader, size_t *len)
{
	*len = (size_t)(reader->end - reader->text);
	return reader->text;
}

bool
doc_passed_over_empty(const struct doc_reader *reader)
{
	return reader->passed_over_empty;
}

struct doc *
doc_parse(const char *name, const char *text, size_t len,
    const struct doc_limits *limits, struct err *err)
{
	struct doc_reader *reader =
	    doc_open_text(name, text, len, limits, false);
	const struct doc_node *root, *second;
	struct doc *doc = NULL;
	int result = doc_next(reader, &root, err);

	if (result == 0)
		doc_fail(err, name, 1, 1, "empty document");
	if (result == 1) {
		doc = reader->doc;
		reader->doc = doc_new(reader->name);
		result = doc_next(reader, &second, err);
		if (result == 1)
			doc_errf(err, second,
			    "expected one document, found another");
		if (result != 0) {
			doc_free(doc);
			doc = NULL;
		}
	}
	doc_close(reader);
	return doc;
}
