/* The fields that steer where pods go, and those that are not supported. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "objects/fields.h"
#include "objects/pod.h"
#include "objects/steering.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

/* doc/fields.md, and the rows of its fields that are honoured. */
struct page {
	char *text;
	const char *others; /* where those begin that are not */
	struct row {
		char field[200]; /* "KIND PATH", or a kind as such */
		char file[64];
	} rows[200];
	size_t n;
};

/* Fills a row if the line is one. */
static bool
read_row(const char *line, struct row *row)
{
	char end = '\0';
	int since;

	return sscanf(line, "| `%199[^`]` | 1.%d | `%63[^`]` |%c", row->field,
		   &since, row->file, &end) == 4 &&
	    end == '\n' && since >= 15;
}

static struct page
read_page(void)
{
	AUTOFREE char *path = xasprintf("%s/doc/fields.md", getenv("SRCDIR"));
	struct page page = { 0 };
	FILE *in = fopen(path, "r");
	size_t size = 0;

	if (in == NULL || getdelim(&page.text, &size, '\0', in) <= 0 ||
	    (page.others = strstr(page.text, "\n## Not honoured\n")) == NULL) {
		printf("Bail out! cannot read %s\n", path);
		exit(99);
	}
	fclose(in);
	for (const char *at = page.text; at != NULL && at < page.others;
	     at = strchr(at + 1, '\n'))
		if (page.n < LENGTH(page.rows) &&
		    read_row(at + 1, &page.rows[page.n]))
			page.n++;
	return page;
}

static void
the_page_has_every_row(void)
{
	struct page page = read_page();

	t_true("fields that are honoured", page.n >= 85);
	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++) {
		const struct unsupported_field *f = &unsupported_fields[i];
		AUTOFREE char *row =
		    xasprintf("| `%s%s%s` | 1.%d | `%s` | %s |\n", f->kind,
			f->path[0] != '\0' ? " " : "", f->path, f->since,
			unsupported_holds(i) ? f->name : f->group, f->why);

		t_true(row, strstr(page.others, row) != NULL);
	}
	free(page.text);
}

static void
files_exist(void)
{
	struct page page = read_page();

	for (size_t i = 0; i < page.n; i++) {
		AUTOFREE char *path =
		    xasprintf("%s/src/%s", getenv("SRCDIR"), page.rows[i].file);

		t_int(path, access(path, R_OK), 0);
	}
	free(page.text);
}

static const char *
text_of(const struct doc_node *node)
{
	return node != NULL && node->text != NULL ? node->text : "";
}

static bool has_path(const struct doc_node *node, const char *path);

/* Of an element of an array, or a member of an object. */
static bool
is_named(const struct doc_node *node, const char *name)
{
	return *name == '\0' ||
	    (node->key != NULL && strcmp(node->key, name) == 0) ||
	    strcmp(text_of(doc_get(node, "type")), name) == 0;
}

static bool
has_child(const struct doc_node *node, const char *name, const char *path)
{
	for (const struct doc_node *at = node->first; at != NULL; at = at->next)
		if (is_named(at, name) && has_path(at, path))
			return true;
	return false;
}

static bool
has_below(const struct doc_node *node, const char *path)
{
	for (const struct doc_node *at = node->first; at != NULL; at = at->next)
		if (has_path(at, path) || has_below(at, path))
			return true;
	return false;
}

/* Whether the node has the rest of a path: [] is any element, [x] the member x, or
 * the element of type x, and * anything, at any depth. */
static bool
has_path(const struct doc_node *node, const char *path)
{
	size_t len = strcspn(path, ".[");
	AUTOFREE char *key = NULL;

	if (node == NULL || node->kind == DOC_NULL || *path == '\0')
		return node != NULL && node->kind != DOC_NULL;
	if (*path == '[') {
		len = strcspn(path, "]");
		key = xasprintf("%.*s", (int)len - 1, path + 1);
		path += len + 1;
		return has_child(node, key, path + (*path == '.'));
	}
	key = xasprintf("%.*s", (int)len, path);
	path += len + (path[len] == '.');
	return strcmp(key, "*") == 0 ? has_below(node, path) :
				       has_path(doc_get(node, key), path);
}

/* Marks the rows whose field the object has. */
static void
mark_fields(const struct page *page, const struct doc_node *root, bool *seen)
{
	const char *kind = text_of(doc_get(root, "kind"));
	size_t len = strlen(kind);

	for (size_t i = 0; i < page->n; i++) {
		const char *field = page->rows[i].field;

		if (strncmp(field, kind, len) == 0 &&
		    (field[len] == '\0' ||
			(field[len] == ' ' && has_path(root, field + len + 1))))
			seen[i] = true;
	}
}

/* t/ctl/fields.t has predicatectl read it. */
static void
one_dump_has_every_field(void)
{
	AUTOFREE char *path =
	    xasprintf("%s/t/data/ctl/fields.yaml", getenv("SRCDIR"));
	struct page page = read_page();
	AUTOFREE bool *seen = xcalloc(page.n, sizeof(bool));
	const struct doc_node *root;
	struct err err = { "" };
	struct doc_reader *docs =
	    doc_open_file(path, &doc_limits_dump, true, &err);

	t_str("the dump is read", err.text, "");
	while (docs != NULL && doc_next(docs, &root, &err) == 1)
		mark_fields(&page, root, seen);
	t_str("to its end", err.text, "");
	doc_close(docs);
	for (size_t i = 0; i < page.n; i++)
		t_true(page.rows[i].field, seen[i]);
	free(page.text);
}

static void
each_field_is_there_once(void)
{
	struct page page = read_page();

	for (size_t i = 0; i < page.n; i++)
		for (size_t j = 0; j < i; j++)
			t_true(page.rows[i].field,
			    strcmp(page.rows[i].field, page.rows[j].field) !=
				0);
	free(page.text);
}

/* "KIND PATH" as the table of fields has it: without what is in brackets, but for the
 * names of annotations, and no further than to any name. */
static char *
plain_path(const char *field)
{
	char *plain = xcalloc(1, strlen(field) + 1), *to = plain;
	bool annotation = strstr(field, " metadata.annotations[") != NULL;

	for (const char *at = field; *at != '\0' && strncmp(at, ".*", 2) != 0;
	     at++)
		if (*at == '[' && !annotation)
			at = strchr(at, ']');
		else
			*to++ = *at;
	return plain;
}

/* Whether one of them is the other, or around it. */
static bool
contain(const char *a, const char *b)
{
	size_t len = strlen(a), other = strlen(b);
	size_t least = len < other ? len : other;
	char next = len < other ? b[least] : a[least];

	return strncmp(a, b, least) == 0 && strchr(". [", next) != NULL;
}

/* Of any kind without its name. */
static bool
is_no_steering(const char *path)
{
	static const char *const fields[] = {
		/* who it is, and those of a list or a Status */
		"kind",
		"apiVersion",
		"code",
		"message",
		"metadata.name",
		"metadata.namespace",
		"metadata.uid",
		"metadata.resourceVersion",
		"metadata.creationTimestamp",
		"metadata.deletionTimestamp",
		"Pod metadata.generation",
		/* parts of one that is on the page */
		"Pod spec.containers.name",
		"Pod spec.containers.ports",
		"Pod spec.initContainers.name",
		"Pod spec.initContainers.ports",
		"Pod spec.initContainers.resources",
		"Pod spec.initContainers.restartPolicyRules",
		"Pod spec.hostNetwork",
		"Pod spec.volumes.name",
		"Pod spec.volumes.portworxVolume",
		"Pod status.containerStatuses.name",
		"Pod status.initContainerStatuses.name",
		"CSINode spec.drivers.name",
		/* the page has them in its sentences about devices */
		"ResourceClaim",
		"ResourceSlice",
		"DeviceClass",
		"DeviceTaintRule",
		/* whether and how a pod counts, is preempted or waits */
		"Pod status.phase",
		"Pod status.startTime",
		"PodDisruptionBudget",
		"Node status.nodeInfo.kubeletVersion",
		/* what the API server adds to a pod */
		"Pod spec.priorityClassName",
		"Namespace metadata.annotations",
		"RuntimeClass",
		"LimitRange",
		/* not of Kubernetes */
		"Node metadata.annotations[leafNodeMode]",
		"Node metadata.annotations[kosmos-io/owned-by-cluster]",
		"StickyJob",
	};

	for (size_t i = 0; i < LENGTH(fields); i++)
		if (contain(fields[i], path) ||
		    contain(fields[i], strchr(path, ' ') + 1))
			return true;
	return false;
}

/* Every field that is read is on the page, and marks the page's rows about it. */
static void
mark_read(const struct page *page, const char *path,
    const struct doc_field *fields, bool *seen)
{
	bool annotations = strstr(path, " metadata.annotations") != NULL;
	bool root = strchr(path, ' ') == NULL;

	for (; fields->key != NULL; fields++) {
		AUTOFREE char *below = xasprintf(annotations ? "%s[%s]" :
			root                                 ? "%s %s" :
							       "%s.%s",
		    path, fields->key);
		bool found = is_no_steering(below);

		if (fields->within != NULL) {
			mark_read(page, below, fields->within, seen);
			continue;
		}
		for (size_t i = 0; i < page->n; i++) {
			AUTOFREE char *row = plain_path(page->rows[i].field);

			if (contain(row, below))
				seen[i] = found = true;
		}
		if (!t_true(below, found))
			printf("# %s is read: doc/fields.md needs its row, "
			       "t/data/ctl/fields.yaml a value\n",
			    below);
	}
}

static void
the_page_has_what_is_read(void)
{
	struct page page = read_page();
	AUTOFREE bool *seen = NULL;

	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++)
		if (unsupported_fields[i].path[0] != '\0')
			snprintf(page.rows[page.n++].field,
			    sizeof(page.rows[0].field), "%s %s",
			    unsupported_fields[i].kind,
			    unsupported_fields[i].path);
	seen = xcalloc(page.n, sizeof(bool));
	for (enum object_kind kind = 0; kind < OBJECT_KINDS; kind++)
		if (object_fields(kind) != NULL)
			mark_read(&page, object_kind_name(kind),
			    object_fields(kind), seen);
	for (size_t i = 0; i < page.n; i++)
		t_true(page.rows[i].field, seen[i]);
	free(page.text);
}

static void
names_are_read(void)
{
	static const struct {
		const char *text;
		int rc;
		uint32_t set;
	} rows[] = {
		{ "", 0, 0 },
		{ "schedulingGroup", 0,
		    UNSUPPORTED_BIT(UNSUPPORTED_SCHEDULING_GROUP) },
		{ "workloadRef,schedulingGroup", 0,
		    UNSUPPORTED_BIT(UNSUPPORTED_SCHEDULING_GROUP) |
			UNSUPPORTED_BIT(UNSUPPORTED_WORKLOAD_REF) },
		{ "workloadRef,", 0,
		    UNSUPPORTED_BIT(UNSUPPORTED_WORKLOAD_REF) },
		{ "workloadref", -1, 0 },
		{ "workload", -1, 0 },
		{ ",workloadRef", -1, 0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		uint32_t set = 0;
		struct err err = { "" };

		t_int(rows[i].text, unsupported_parse(rows[i].text, &set, &err),
		    rows[i].rc);
		t_int(rows[i].text, set, rows[i].set);
		if (rows[i].rc != 0)
			t_has(rows[i].text, err.text,
			    "there are schedulingGroup, workloadRef, ");
	}
}

static void
pods_have_fields(void)
{
	static const struct {
		const char *rest;
		uint32_t set;
	} rows[] = {
		{ "spec: {}", 0 },
		{ "spec: {schedulingGroup: {podGroupName: g}}",
		    UNSUPPORTED_BIT(UNSUPPORTED_SCHEDULING_GROUP) },
		{ "spec: {schedulingGroup: null}", 0 },
		{ "spec: {workloadRef: {name: w, podGroup: g}}",
		    UNSUPPORTED_BIT(UNSUPPORTED_WORKLOAD_REF) },
		{ "spec: {workloadRef: {name: w}, schedulingGroup: {}}",
		    UNSUPPORTED_BIT(UNSUPPORTED_WORKLOAD_REF) |
			UNSUPPORTED_BIT(UNSUPPORTED_SCHEDULING_GROUP) },
		{ "spec: {" W_REQUESTS(
		      "deviceclass.resource.kubernetes.io/a: 1") "}",
		    UNSUPPORTED_BIT(UNSUPPORTED_DEVICE_CLASS_RESOURCES) },
		{ "spec: {" W_REQUESTS("x.com/a: 1") "}", 0 },
		{ "status: {nodeAllocatableResourceClaimStatuses: []}", 0 },
		{ "status: {nodeAllocatableResourceClaimStatuses: "
		  "[{resourceClaimName: c}]}",
		    UNSUPPORTED_BIT(UNSUPPORTED_NODE_ALLOCATABLE_CLAIMS) },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		AUTOFREE char *text = xasprintf("--- {kind: Pod, metadata: "
						"{name: p}, %s}",
		    rows[i].rest);
		struct pod *pod = world_decode_pod(text);

		t_int(rows[i].rest, pod->class->unsupported, rows[i].set);
		pod_unref(pod);
	}
}

static void
kinds_that_matter(void)
{
	t_true("one that is decoded", steering_has_kind("Node"));
	t_true("for one kind of pods", steering_has_kind("CSIStorageCapacity"));
	t_true("another", !steering_has_kind("ConfigMap"));
}

T_MAIN(T(one_dump_has_every_field), T(the_page_has_every_row),
    T(the_page_has_what_is_read), T(files_exist), T(each_field_is_there_once),
    T(names_are_read), T(pods_have_fields), T(kinds_that_matter))
