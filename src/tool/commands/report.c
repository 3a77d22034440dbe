#include "config.h"

#include "tool/commands/report.h"

#include <ctype.h>
#include <inttypes.h>

#include "base/doc.h"
#include "base/map.h"
#include "base/sorted.h"
#include "objects/pod.h"

#define INDENT 2
#define FLUSH_BYTES 65536

/* ---- YAML ---- */

static void
put_key(struct text *text, const char *key)
{
	size_t len = strlen(key);

	/* no key of ours is a word of YAML's */
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)key[i])) {
			json_put_key(text, key);
			return;
		}
	text_put(text, key);
}

/* A value after its key or dash.  In a list, an object begins on the line of the
 * dash. */
static void
put_yaml(struct text *text, const struct doc_node *node, size_t depth)
{
	bool same_line = node->key == NULL;

	if (node->count == 0) {
		json_put_node(text, node);
		return;
	}
	EACH_CHILD (at, node) {
		if (!same_line) {
			text_put(text, "\n");
			for (size_t i = 0; i < depth; i++)
				text_put(text, "  ");
		}
		same_line = false;
		if (node->kind == DOC_ARRAY) {
			text_put(text, "- ");
			put_yaml(text, at, depth + 1);
			continue;
		}
		put_key(text, at->key);
		text_put(text, at->count == 0 ? ": " : ":");
		put_yaml(text, at, at->kind == DOC_ARRAY ? depth : depth + 1);
	}
}

void
report_write(const struct options *options, struct text *json)
{
	struct doc *doc = NULL;
	struct text yaml = { 0 };
	struct err err;

	if (options->yaml)
		doc = doc_parse("output", json->bytes, json->len,
		    &doc_limits_people, &err);
	if (doc == NULL) { /* JSON is YAML, too */
		text_write(json, options->screen.out);
		return;
	}
	put_yaml(&yaml, doc_root(doc), 0);
	text_put(&yaml, "\n");
	text_write(&yaml, options->screen.out);
	doc_free(doc);
	text_fini(json);
}

/* ---- the whole ---- */

void
report_begin(struct report *r, const struct options *options)
{
	memset(r, 0, sizeof(*r));
	r->options = options;
	r->json.text = &r->text;
	json_open(&r->json, '{');
}

void
report_end(struct report *r)
{
	json_close(&r->json, '}');
	text_put(&r->text, "\n");
	if (r->options->json)
		report_write(r->options, &r->text);
	else
		text_fini(&r->text);
	arena_fini(&r->arena);
}

void
report_print(const struct report *r, enum style style, const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	if (!report_is_for_people(r))
		return;
	XFORMAT(text, fmt);
	screen_print(&r->options->screen, style, "%s", text);
}

void
report_more(const struct options *options, size_t n)
{
	if (n > 0)
		screen_print(&options->screen, STYLE_DIM,
		    "%*sand %zu more (--all)\n", INDENT, "", n);
}

/* ---- rows ---- */

/* Reads the text up to '|', which it returns, or the end. */
static const char *
read_column(struct report *r, struct report_column *c, const char *text)
{
	static const char marks[] = "!+~";
	static const enum style styles[] = { STYLE_BAD, STYLE_GOOD, STYLE_DIM };
	size_t key_len = strcspn(text, "=|"), head_len = 0;
	const char *head = text + key_len, *mark;

	memset(c, 0, sizeof(*c));
	if (*head == '=') {
		c->right = *++head == '>';
		head += c->right;
		mark = memchr(marks, *head, sizeof(marks) - 1);
		if (mark != NULL) {
			c->style = styles[mark - marks];
			head++;
		}
		head_len = strcspn(head, "|");
	}
	c->key = arena_strndup(&r->arena, text, key_len);
	c->head = arena_strndup(&r->arena, head, head_len);
	return head + head_len;
}

void
report_rows(struct report *r, const char *key, const char *columns)
{
	size_t nheads = 0;

	r->follows = *columns == '^';
	columns += r->follows;
	r->one_line = *columns == '-';
	columns += r->one_line;
	for (r->ncolumns = 0; *columns != '\0'; r->ncolumns++) {
		struct report_column *c = &r->columns[r->ncolumns];

		columns = read_column(r, c, columns);
		columns += *columns == '|';
		nheads += c->head[0] != '\0';
	}
	r->nrows = 0;
	r->limit = r->options->all ? SIZE_MAX : SHOWN_ROWS;
	r->is_member = r->options->json && key != NULL;
	r->is_named = r->options->name && key != NULL && r->ncolumns > 0 &&
	    text_is_choice("pod|node", r->columns[0].key);
	r->has_table = report_is_for_people(r) && nheads > 0;
	if (r->is_member) {
		if (r->json.comma)
			json_break(&r->json, " ");
		json_open_member(&r->json, key, '[');
	}
	if (!r->has_table)
		return;
	table_init(&r->table, nheads);
	for (size_t i = 0, at = 0; i < r->ncolumns; i++) {
		if (r->columns[i].head[0] == '\0')
			continue;
		r->table.right[at++] = r->columns[i].right;
		table_add(&r->table, STYLE_HEAD, "%s", r->columns[i].head);
	}
}

struct report_cell
cell_pod(struct report *r, const struct pod *pod)
{
	const char *name = pod_full_name(pod);

	return cell_text(arena_strndup(&r->arena, name, strlen(name)));
}

static int
compare_groups(const void *a, const void *b)
{
	const struct pod_group *x = a, *y = b;

	if (x->npods != y->npods)
		return x->npods < y->npods ? 1 : -1;
	return x->first < y->first ? -1 : 1;
}

struct pod_group *
report_groups(struct report *r, size_t n, const struct keyed_pod *pods,
    size_t *ngroups)
{
	struct pod_group *groups = arena_array(&r->arena, struct pod_group, n);
	struct strmap known = { 0 };

	*ngroups = 0;
	for (size_t i = 0; i < n; i++) {
		struct pod_group *group = strmap_get(&known, pods[i].key);

		if (group == NULL) {
			group = &groups[(*ngroups)++];
			group->first = i;
			strmap_put(&known, pods[i].key, group);
		}
		if (strcmp(pods[group->first].text, pods[i].text) != 0)
			group->differs = true;
		if (group->npods < SUCH_AS)
			group->pods[group->npods] = pods[i].pod;
		group->npods++;
	}
	strmap_fini(&known);
	SORT(groups, *ngroups, compare_groups);
	return groups;
}

struct report_cell
cell_such_as(struct report *r, const struct pod_group *group)
{
	const struct pod *const *pods = group->pods;
	struct text text = { 0 };
	struct report_cell cell;

	for (size_t i = 0; i < group->npods && i < SUCH_AS; i++) {
		bool same = i > 0 &&
		    pods[i]->object.namespace == pods[i - 1]->object.namespace;

		text_printf(&text, "%s%s", i > 0 ? ", " : "",
		    same ? pods[i]->object.name : pod_full_name(pods[i]));
	}
	cell = cell_text(arena_printf(&r->arena, "%s%s", text.bytes,
	    group->npods > SUCH_AS ? ", ..." : ""));
	text_fini(&text);
	return cell;
}

static void
put_cell(struct report *r, const char *key, const struct report_cell *cell)
{
	switch (cell->type) {
	case CELL_TEXT:
		json_pair(&r->json, key, cell->text);
		break;
	case CELL_WHOLE:
		json_pair_int(&r->json, key, cell->number);
		break;
	case CELL_TRUTH:
		json_pair_bool(&r->json, key, cell->number != 0);
		break;
	case CELL_LIST:
		json_texts(&r->json, key, cell->n, cell->list);
		break;
	}
}

void
report_add_row(struct report *r, const struct report_cell *cells)
{
	bool shown = r->has_table && r->nrows < r->limit;

	r->nrows++;
	if (r->is_named && cells[0].text != NULL) {
		fprintf(r->options->screen.out, "%s/", r->columns[0].key);
		text_print_line(r->options->screen.out, cells[0].text);
	}
	if (r->is_member) {
		if (!r->one_line)
			json_break(&r->json, "  ");
		json_open(&r->json, '{');
		for (size_t i = 0; i < r->ncolumns; i++)
			if (r->columns[i].key[0] != '\0')
				put_cell(r, r->columns[i].key, &cells[i]);
		json_close(&r->json, '}');
		if (r->text.len > FLUSH_BYTES && !r->options->yaml)
			text_flush(&r->text, r->options->screen.out);
	}
	for (size_t i = 0; shown && i < r->ncolumns; i++) {
		const struct report_cell *cell = &cells[i];
		enum style style = cell->style != STYLE_PLAIN ?
		    cell->style :
		    r->columns[i].style;

		if (r->columns[i].head[0] == '\0')
			continue;
		if (cell->type == CELL_WHOLE)
			table_add(&r->table, style, "%" PRId64, cell->number);
		else if (cell->type == CELL_LIST)
			table_add(&r->table, style, "%s",
			    arena_join(&r->arena, cell->n, cell->list, "; "));
		else
			table_add(&r->table, style, "%s",
			    cell->text != NULL ? cell->text : "-");
	}
}

void
report_rows_end(struct report *r)
{
	if (r->is_member)
		json_close(&r->json, ']');
	if (!r->has_table)
		return;
	if (r->nrows > 0) {
		report_print(r, STYLE_PLAIN, r->follows ? "" : "\n");
		table_print(&r->table, &r->options->screen, INDENT);
		report_more(r->options,
		    r->nrows > r->limit ? r->nrows - r->limit : 0);
	}
	table_fini(&r->table);
}
