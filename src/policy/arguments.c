/* Arguments of entries: from the policy's text to the structs of the units. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "policy/policy_internal.h"
#include "predicates/registry.h"
#include "priorities/registry.h"

unsigned
count_arguments(enum rule_kind kind, const struct rule_argument *argument)
{
	unsigned n = (argument->service_affinity != NULL) +
	    (argument->labels_presence != NULL) +
	    (argument->service_anti_affinity != NULL) +
	    (argument->requested_to_capacity_ratio != NULL);

	/* Of a predicate it only counts without a better argument. */
	return kind == RULE_FILTERS && n > 0 ?
	    n :
	    n + (argument->label_preference != NULL);
}

struct label_list {
	size_t n, cap;
	sym *at;
};

static void
add_label(struct arena *arena, struct label_list *list, const char *text,
    size_t len)
{
	arena_room(arena, list->at, list->n, &list->cap);
	list->at[list->n++] = sym_intern_n(text, len);
}

/*
 * Labels one by one from "region, zone", which the manual writes for two
 * labels: no label contains a comma or a space, so nothing else can be meant.
 */
static void
split_labels(struct arena *arena, struct label_list *list, const char *text)
{
	static const char between[] = ", \t";

	for (text += strspn(text, between); *text != '\0';
	     text += strspn(text, between)) {
		size_t len = strcspn(text, between);

		add_label(arena, list, text, len);
		text += len;
	}
}

static const char *
labels_as_written(struct reading *reading, const struct label_list *list,
    size_t first)
{
	struct text text = { 0 };

	for (size_t i = first; i < list->n; i++)
		text_printf(&text, "%s\"%s\"", i > first ? ", " : "",
		    sym_text(list->at[i]));
	return text_keep(&text, &reading->arena);
}

static struct label_list
read_labels(struct reading *reading, struct arena *arena,
    const struct labels_argument *argument)
{
	const struct string_value *value = argument->labels.items;
	struct label_list list = { 0 };

	for (size_t i = 0; i < argument->labels.n; i++, value++) {
		size_t first = list.n;
		const char *labels;

		if (reading->options->strict ||
		    value->text[strcspn(value->text, ", \t")] == '\0') {
			add_label(arena, &list, value->text,
			    strlen(value->text));
			continue;
		}
		split_labels(arena, &list, value->text);
		labels = labels_as_written(reading, &list, first);
		reading_report(reading, SEVERITY_WARNING, value->item.at,
		    "\"%s\" is not a label; read as %s", value->text, labels);
		reading_mend(reading, MEND_VALUE, value->item.at, labels, NULL);
	}
	if (argument->label != NULL) {
		const struct doc_node *at =
		    item_member(&argument->item, "label");
		size_t first = list.n;
		const char *labels;

		split_labels(arena, &list, argument->label);
		labels = arena_printf(&reading->arena, "[%s]",
		    labels_as_written(reading, &list, first));
		reading_report(reading, SEVERITY_WARNING, at,
		    "\"label\" is unknown here; read as \"labels\": %s",
		    labels);
		if (first == 0)
			reading_mend(reading, MEND_VALUE, at, labels, "labels");
	}
	if (list.n == 0)
		reading_report(reading, SEVERITY_WARNING,
		    item_member(&argument->item, "labels"),
		    "no labels: every node passes");
	return list;
}

static const void *
read_labels_presence(struct reading *reading, struct arena *arena,
    const struct labels_argument *argument)
{
	struct labels_presence_args *args = arena_zalloc(arena, sizeof(*args));
	struct label_list list = read_labels(reading, arena, argument);

	*args = (struct labels_presence_args){ list.n, list.at,
		argument->presence };
	return args;
}

const struct predicate *
predicate_from_argument(struct reading *reading, struct arena *arena,
    const struct rule_argument *argument, const void **args)
{
	struct service_affinity_args *affinity;
	struct label_list list;

	if (argument->labels_presence != NULL) {
		*args = read_labels_presence(reading, arena,
		    argument->labels_presence);
		return &predicate_check_node_label_presence;
	}
	if (argument->service_affinity == NULL) {
		reading_report(reading, SEVERITY_WARNING,
		    argument->label_preference->item.at,
		    "\"labelPreference\" is an argument of priorities; read as "
		    "\"labelsPresence\"");
		reading_mend(reading, MEND_VALUE,
		    argument->label_preference->item.at, NULL,
		    "labelsPresence");
		*args = read_labels_presence(reading, arena,
		    argument->label_preference);
		return &predicate_check_node_label_presence;
	}
	list = read_labels(reading, arena, argument->service_affinity);
	affinity = arena_zalloc(arena, sizeof(*affinity));
	*affinity = (struct service_affinity_args){ list.n, list.at };
	*args = affinity;
	return &predicate_check_service_affinity;
}

static sym
read_label(struct reading *reading, const struct labels_argument *argument)
{
	const struct string_value *value = argument->labels.items;
	const struct doc_node *at = item_member(&argument->item, "labels");

	if (argument->label != NULL && *argument->label != '\0')
		return sym_intern(argument->label);
	if (argument->labels.n == 1) {
		reading_report(reading, SEVERITY_WARNING, at,
		    "\"labels\" is unknown here; read as \"label\": \"%s\"",
		    value->text);
		reading_mend(reading, MEND_VALUE, at,
		    arena_printf(&reading->arena, "\"%s\"", value->text),
		    "label");
		return sym_intern(value->text);
	}
	if (argument->labels.n > 1)
		reading_report(reading, SEVERITY_WARNING, at,
		    "\"labels\" is unknown here, ignored; write \"label\", one "
		    "entry for each");
	else
		reading_report(reading, SEVERITY_WARNING, at,
		    "no label: every node has the same score");
	return SYM_EMPTY;
}

const struct priority *
priority_from_argument(struct reading *reading, struct arena *arena,
    const struct rule_argument *argument, const void **args)
{
	struct service_anti_affinity_args *anti_affinity;
	struct label_preference_args *preference;
	struct requested_to_capacity_ratio_args *ratio;
	const struct shape_entry *entry;
	struct shape_point *points;
	size_t n;

	if (argument->service_anti_affinity != NULL) {
		anti_affinity = arena_zalloc(arena, sizeof(*anti_affinity));
		anti_affinity->label =
		    read_label(reading, argument->service_anti_affinity);
		*args = anti_affinity;
		return &priority_service_anti_affinity;
	}
	if (argument->label_preference != NULL) {
		preference = arena_zalloc(arena, sizeof(*preference));
		preference->label =
		    read_label(reading, argument->label_preference);
		preference->presence = argument->label_preference->presence;
		*args = preference;
		return &priority_node_label;
	}
	entry = argument->requested_to_capacity_ratio->shape.items;
	n = argument->requested_to_capacity_ratio->shape.n;
	points = arena_array(arena, struct shape_point, n);
	for (size_t i = 0; i < n; i++)
		points[i] = (struct shape_point){ entry[i].utilization,
			entry[i].score };
	ratio = arena_zalloc(arena, sizeof(*ratio));
	*ratio = (struct requested_to_capacity_ratio_args){ n, points };
	*args = ratio;
	return &priority_requested_to_capacity_ratio_priority;
}

void
check_shape(struct reading *reading, const struct item *item,
    const struct list *shape, const char *path)
{
	const struct shape_entry *points = shape->items;

	if (shape->n == 0)
		reading_report(reading, SEVERITY_ERROR,
		    item_member(item, "shape"), "%s must have a point", path);
	for (size_t i = 0; i < shape->n; i++) {
		const struct shape_entry *p = &points[i];

		if (i > 0 && p[-1].utilization >= p->utilization)
			reading_report(reading, SEVERITY_ERROR, p->item.at,
			    "%s[%zu].utilization must be greater than the one "
			    "before, %" PRId64 ", not %" PRId64,
			    path, i, p[-1].utilization, p->utilization);
		if (p->utilization < 0 || p->utilization > 100)
			reading_report(reading, SEVERITY_ERROR, p->item.at,
			    "%s[%zu].utilization must be from 0 to 100, not "
			    "%" PRId64,
			    path, i, p->utilization);
		if (p->score < 0 || p->score > POLICY_SCORE_MAX)
			reading_report(reading, SEVERITY_ERROR, p->item.at,
			    "%s[%zu].score must be from 0 to %d, not %" PRId64,
			    path, i, POLICY_SCORE_MAX, p->score);
	}
}
