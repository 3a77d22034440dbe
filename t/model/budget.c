/* Memory of objects, by namespace. */
#include "config.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/budget.h"
#include "objects/object.h"
#include "t/lib/t.h"

#define MIB ((size_t)1 << 20)

static const struct budgets unlimited;

static struct object *
decode(const char *text, size_t len)
{
	struct object *object = NULL;
	struct err err = { "" };
	struct doc *doc = doc_parse("x", text, len, &doc_limits_dump, &err);

	t_int("decoded",
	    object_decode(NULL, doc_root(doc), "", &object, NULL, &err), 1);
	t_str("decoded", err.text, "");
	doc_free(doc);
	return object;
}

static struct object *
service(const char *namespace, unsigned i)
{
	AUTOFREE char *text = xasprintf(
	    "{\"kind\":\"Service\",\"metadata\":{\"name\":\"s%u\","
	    "\"namespace\":\"%s\"},\"spec\":{\"selector\":{\"a\":\"b%u\"}}}",
	    i, namespace, i);

	return decode(text, strlen(text));
}

/* Writes the k-th thing of the i-th object. */
typedef void item(FILE *out, unsigned i, unsigned k);

static void
pair(FILE *out, unsigned i, unsigned k)
{
	fprintf(out, "\"%x.%x\":\"%x-%x\"", i, k, i, k);
}

static void
value(FILE *out, unsigned i, unsigned k)
{
	fprintf(out, "\"%x.%x\"", i, k);
}

static const struct row {
	const char *name;
	unsigned nobjects, nitems;
	const char *kind, *before;
	item *item;
	const char *after;
	/* Of what is real, the part that is counted; bytes kept per byte sent. */
	double least, most, kept;
} rows[] = {
	{ "long selectors of Services", 30, 24000, "Service", "\"selector\":{",
	    pair, "}", 0.3, 3, 0.1 },
	{ "long selectors of ReplicaSets", 30, 24000, "ReplicaSet",
	    "\"selector\":{\"matchExpressions\":[{\"key\":\"a\","
	    "\"operator\":\"In\",\"values\":[",
	    value, "]}]}", 0.3, 3, 0.1 },
	{ "long selectors of budgets", 30, 24000, "PodDisruptionBudget",
	    "\"selector\":{\"matchLabels\":{", pair, "}}", 0.3, 3, 0.1 },
	{ "long selectors of claims", 30, 24000, "PersistentVolumeClaim",
	    "\"selector\":{\"matchLabels\":{", pair, "}}", 0.3, 3, 0.1 },
	{ "selectors of Services", 1000, 900, "Service", "\"selector\":{", pair,
	    "}", 0.6, 1.5, 16 },
	{ "small Services", 20000, 1, "Service", "\"selector\":{", pair, "}",
	    0.6, 2.5, 12 },
	{ "terms of pods", 300, 4500, "Pod",
	    "\"containers\":[],\"affinity\":{\"podAffinity\":{"
	    "\"requiredDuringSchedulingIgnoredDuringExecution\":[{"
	    "\"topologyKey\":\"t\",\"labelSelector\":{\"matchExpressions\":"
	    "[{\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[",
	    value, "]}]}}]}}", 0.6, 2.5, 12 },
};

static char *
write_object(const struct row *row, unsigned i, size_t *len)
{
	char *text;
	FILE *out = open_memstream(&text, len);

	fprintf(out,
	    "{\"kind\":\"%s\",\"metadata\":{\"name\":\"o%u\",\"uid\":\"%u\","
	    "\"namespace\":\"team\"},\"spec\":{%s",
	    row->kind, i, i, row->before);
	for (unsigned k = 0; k < row->nitems; k++) {
		fputs(k > 0 ? "," : "", out);
		row->item(out, i, k);
	}
	fprintf(out, "%s}}", row->after);
	fclose(out);
	return text;
}

/* Decodes them as a reflector does; the bytes sent and really kept. */
static void
decode_all(const struct row *row, const struct budgets *budgets,
    struct object **all, size_t *sent, size_t *kept, size_t *counted)
{
	sym team = sym_intern("team");
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	struct err err;

	*sent = 0;
	for (unsigned i = 0; i < row->nobjects; i++) {
		size_t len;
		AUTOFREE char *text = write_object(row, i, &len);

		*sent += len;
		if (!budget_is_used_up(budgets, team, false, &err))
			all[i] = decode(text, len);
	}
	*kept = mallinfo2().uordblks + mallinfo2().hblkhd - before;
	*counted = budget_used();
}

static void
free_all(const struct row *row, struct object **all)
{
	for (unsigned i = 0; i < row->nobjects; i++)
		object_unref(all[i]);
	free(all);
	sym_collect();
	t_int("nothing is left", (int)budget_used(), 0);
}

static void
what_is_counted_is_what_is_kept(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct row *row = &rows[i];
		struct object **all = xcalloc(row->nobjects, sizeof(*all));
		size_t sent, kept, counted;

		decode_all(row, &unlimited, all, &sent, &kept, &counted);
		printf("# %s: sent %zu, kept %zu, counted %zu\n", row->name,
		    sent, kept, counted);
		/* a sanitizer's allocator does not say what is kept */
		t_true(row->name,
		    mallinfo2().uordblks == 0 ||
			((double)counted >= (double)kept * row->least &&
			    (double)counted <= (double)kept * row->most));
		t_true(row->name,
		    (double)kept <= (double)sent * row->kept + (double)MIB);
		free_all(row, all);
	}
}

/* Twice the budget, and more, is sent: in the whole no more than that is kept. */
static void
a_budget_bounds_memory(void)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct row *row = &rows[i];
		struct object **all = xcalloc(row->nobjects, sizeof(*all));
		size_t sent, kept, counted;

		decode_all(row, &(struct budgets){ .namespace = MIB }, all,
		    &sent, &kept, &counted);
		t_true(row->name, kept < 3 * MIB);
		t_true(row->name, sent < MIB || kept < 2 * sent);
		free_all(row, all);
	}
}

static void
one_namespace_does_not_use_up_others(void)
{
	struct object *all[20000] = { NULL };
	sym a = sym_intern("a"), b = sym_intern("b");
	struct budgets budgets = { .namespace = 2 * MIB, .total = 3 * MIB };
	struct err err = { "" };
	unsigned n = 0;

	budget_has_room_again(&budgets);
	while (n < LENGTH(all) && !budget_is_used_up(&budgets, a, false, &err))
		all[n] = service("a", n), n++;
	t_has("one namespace", err.text,
	    "the objects of namespace a have used up the memory of one "
	    "namespace, 2 MiB (--max-memory-per-namespace)");
	t_true("of its own", budget_used() >= 2 * MIB);
	t_true("a new version", !budget_is_used_up(&budgets, a, true, &err));
	t_true("not of others", !budget_is_used_up(&budgets, b, false, &err));
	t_true("no room", !budget_has_room_again(&budgets));
	while (n < LENGTH(all) && !budget_is_used_up(&budgets, b, false, &err))
		all[n] = service("b", n), n++;
	t_has("all", err.text,
	    "the objects of all namespaces have used up their memory, 3 MiB "
	    "(--max-memory-of-namespaces), and those of namespace b more than "
	    "1/64 of it");
	t_true("its part", budget_used() >= 3 * MIB);
	all[n] = service("c", n);
	n++;
	t_true("a small one",
	    !budget_is_used_up(&budgets, sym_find("c"), false, &err));
	for (unsigned i = 0; i < n; i++)
		object_unref(all[i]);
	t_true("room again", budget_has_room_again(&budgets));
	t_true("once", !budget_has_room_again(&budgets));
	t_int("nothing is left", (int)budget_used(), 0);
}

T_MAIN(T(what_is_counted_is_what_is_kept), T(a_budget_bounds_memory),
    T(one_namespace_does_not_use_up_others))
