#include "config.h"

#include "tool/input/pod_defaults.h"

#include "base/arena.h"
#include "base/doc_build.h"
#include "base/sorted.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "tool/commands/ctl.h"
#include "objects/workload.h"

/* ---- changes of a document ---- */

struct doc_node *
pod_put(struct doc_node *parent, const char *key, enum doc_kind kind,
    const char *text)
{
	struct doc_node **at = parent != NULL ? &parent->first : NULL;
	struct doc_node *node, *next;

	while (at != NULL && *at != NULL &&
	    (key == NULL || strcmp((*at)->key, key) != 0))
		at = &(*at)->next;
	node = at != NULL ?
	    doc_node_new((struct doc *)parent->doc, &doc_limits_dump, kind,
		parent->line, parent->column, NULL) :
	    NULL;
	if (node == NULL) /* no file reaches that limit */
		return NULL;
	next = *at != NULL ? (*at)->next : NULL;
	parent->count += *at == NULL;
	*at = node;
	node->next = next;
	node->key = key;
	if (text != NULL) {
		node->len = strlen(text);
		node->text = arena_strndup(doc_arena((struct doc *)parent->doc),
		    text, node->len);
	}
	return node;
}

void
pod_put_copy(struct doc_node *parent, const char *key,
    const struct doc_node *from)
{
	struct doc_node *node =
	    from != NULL ? pod_put(parent, key, from->kind, NULL) : NULL;
	struct doc_node *next = node != NULL ? node->next : NULL;

	if (node == NULL)
		return;
	*node = *from;
	node->key = key;
	node->next = next;
}

struct doc_node *
pod_member(struct doc_node *object, const char *key, enum doc_kind kind)
{
	struct doc_node *member = (struct doc_node *)doc_get(object, key);

	if (member == NULL)
		member = pod_put(object, key, kind, NULL);
	return member != NULL && member->kind == kind ? member : NULL;
}

void
pod_put_toleration(struct doc_node *spec, const char *key, const char *effect)
{
	struct doc_node *at =
	    pod_put(pod_member(spec, "tolerations", DOC_ARRAY), NULL,
		DOC_OBJECT, NULL);

	pod_put(at, "key", DOC_STRING, key);
	pod_put(at, "operator", DOC_STRING, "Exists");
	pod_put(at, "effect", DOC_STRING, effect);
}

static bool
is_object(const struct doc_node *node)
{
	return node != NULL && node->kind == DOC_OBJECT;
}

/* Copies the members that the object lacks. */
static void
fill(struct doc_node *object, const struct doc_node *from)
{
	if (object == NULL || !is_object(from))
		return;
	EACH_CHILD (p, from)
		if (doc_get(object, p->key) == NULL)
			pod_put_copy(object, p->key, p);
}

static const char *const container_lists[] = { "initContainers", "containers" };

#define EACH_CONTAINER(container, spec)                                        \
	for (size_t list_ = 0; list_ < LENGTH(container_lists); list_++)       \
		EACH_CHILD (container, doc_get(spec, container_lists[list_]))

/* ---- SetDefaults_Pod ---- */

static bool
is_requested(const struct doc_node *spec, const char *name)
{
	EACH_CONTAINER (p, spec)
		if (doc_get(doc_get(doc_get(p, "resources"), "requests"),
			name) != NULL)
			return true;
	return false;
}

/* Requests at pod level.  What containers request of cpu and memory would be summed up
 * there, which the scheduler does itself. */
static void
request_pod_limits(struct doc_node *spec)
{
	struct doc_node *resources =
	    (struct doc_node *)doc_get(spec, "resources");
	const struct doc_node *limits = doc_get(resources, "limits");

	if (!is_object(limits))
		return;
	EACH_CHILD (p, limits) {
		bool huge = strncmp(p->key, "hugepages-", 10) == 0;
		bool plain = text_is_choice("cpu|memory", p->key);

		if ((huge || (plain && !is_requested(spec, p->key))) &&
		    doc_get(doc_get(resources, "requests"), p->key) == NULL)
			pod_put_copy(pod_member(resources, "requests",
					 DOC_OBJECT),
			    p->key, p);
	}
}

static void
set_defaults(struct doc_node *spec)
{
	const struct doc_node *host_network = doc_get(spec, "hostNetwork");

	EACH_CONTAINER (p, spec) {
		struct doc_node *resources =
		    (struct doc_node *)doc_get(p, "resources");
		const struct doc_node *limits = doc_get(resources, "limits");

		if (is_object(limits))
			fill(pod_member(resources, "requests", DOC_OBJECT),
			    limits);
	}
	request_pod_limits(spec);
	if (host_network == NULL || !host_network->boolean)
		return;
	EACH_CONTAINER (container, spec)
		EACH_CHILD (p, doc_get(container, "ports")) {
			const struct doc_node *host = doc_get(p, "hostPort");

			if (is_object(p) &&
			    (host == NULL ||
				(host->kind == DOC_NUMBER &&
				    strcmp(host->text, "0") == 0)))
				pod_put_copy((struct doc_node *)p, "hostPort",
				    doc_get(p, "containerPort"));
		}
}

/* ---- admission ---- */

/* A document whose values a pod has taken: it ends with the pod's. */
struct source {
	struct arena_end end;
	struct doc *doc;
};

static void
end_source(struct arena_end *end)
{
	doc_free(((struct source *)end)->doc);
}

/* The root of the text, from which the pod of spec may take values; NULL: it is none. */
static const struct doc_node *
source(const struct doc_node *spec, const char *name, const char *json)
{
	struct arena *arena = doc_arena((struct doc *)spec->doc);
	struct source *source = arena_zalloc(arena, sizeof(*source));
	struct err err;

	source->doc =
	    doc_parse(name, json, strlen(json), &doc_limits_people, &err);
	if (source->doc == NULL) {
		ctl_print("warning: %s", err.text);
		return NULL;
	}
	source->end.run = end_source;
	arena_on_end(arena, &source->end);
	return doc_root(source->doc);
}

/* A LimitRange may leave out what its other amounts imply (SetDefaults_LimitRangeItem). */
static void
limit_container(const struct doc_node *container, const struct doc_node *item)
{
	struct doc_node *resources = is_object(container) ?
	    pod_member((struct doc_node *)container, "resources", DOC_OBJECT) :
	    NULL;
	struct doc_node *limits = pod_member(resources, "limits", DOC_OBJECT);
	struct doc_node *requests =
	    pod_member(resources, "requests", DOC_OBJECT);

	fill(limits, doc_get(item, "default"));
	fill(limits, doc_get(item, "max"));
	fill(requests, doc_get(item, "defaultRequest"));
	fill(requests, doc_get(item, "default"));
	fill(requests, doc_get(item, "max"));
	fill(requests, doc_get(item, "min"));
}

static int
compare_objects(const void *a, const void *b)
{
	return object_compare_names(*(const struct object *const *)a,
	    *(const struct object *const *)b);
}

static void
admit_limits(struct doc_node *spec, const struct cluster *cluster,
    sym namespace)
{
	const struct map *map = &cluster->named[OBJECT_LIMIT_RANGE];
	const struct pod_defaults **ranges =
	    xcalloc(map->n + 1, sizeof(struct pod_defaults *));
	size_t n = 0;

	EACH_VALUE (map, const struct pod_defaults, range)
		if (range->object.namespace == namespace)
			ranges[n++] = range;
	SORT(ranges, n, compare_objects);
	for (size_t i = 0; i < n; i++) {
		const struct doc_node *root =
		    source(spec, ranges[i]->object.name, ranges[i]->json);

		EACH_CHILD (p, doc_get(doc_get(root, "spec"), "limits"))
			if (strcmp(doc_string(doc_get(p, "type")),
				"Container") == 0)
				EACH_CONTAINER (c, spec)
					limit_container(c, p);
	}
	free(ranges);
}

static void
select_node(struct doc_node *spec, const char *of, const char *key,
    const char *value)
{
	struct doc_node *selector =
	    pod_member(spec, "nodeSelector", DOC_OBJECT);
	const struct doc_node *own = doc_get(selector, key);

	if (own == NULL)
		pod_put(selector, key, DOC_STRING, value);
	else if (strcmp(doc_string(own), value) != 0)
		ctl_print("warning: the API server would refuse the pod: its "
			  "nodeSelector %s is \"%s\", and that of %s \"%s\"",
		    key, doc_string(own), of, value);
}

static void
tolerate(struct doc_node *spec, const struct doc_node *tolerations)
{
	if (tolerations == NULL || tolerations->kind != DOC_ARRAY)
		return;
	EACH_CHILD (p, tolerations)
		pod_put_copy(pod_member(spec, "tolerations", DOC_ARRAY), NULL,
		    p);
}

/* Unless one for the taint's key, or for any, is there. */
static void
tolerate_by_default(struct doc_node *spec, const char *key)
{
	EACH_CHILD (p, doc_get(spec, "tolerations")) {
		const char *its = doc_string(doc_get(p, "key"));
		const char *effect = doc_string(doc_get(p, "effect"));

		if ((its[0] == '\0' || strcmp(its, key) == 0) &&
		    (effect[0] == '\0' || strcmp(effect, "NoExecute") == 0))
			return;
	}
	pod_put_toleration(spec, key, "NoExecute");
}

static void
admit_namespace(struct doc_node *spec, const struct namespace *ns)
{
	sym key =
	    sym_intern("scheduler.alpha.kubernetes.io/defaultTolerations");
	sym text = ns != NULL ? labels_get(&ns->annotations, key) : SYM_NONE;

	for (uint32_t i = 0; ns != NULL && i < ns->node_selector.n; i++)
		select_node(spec, "the namespace",
		    sym_text(ns->node_selector.at[i].key),
		    sym_text(ns->node_selector.at[i].value));
	tolerate_by_default(spec, "node.kubernetes.io/not-ready");
	tolerate_by_default(spec, "node.kubernetes.io/unreachable");
	if (text != SYM_NONE && text != SYM_EMPTY)
		tolerate(spec, source(spec, sym_text(key), sym_text(text)));
}

static void
admit_runtime_class(struct doc_node *spec, const struct cluster *cluster)
{
	const char *name = doc_string(doc_get(spec, "runtimeClassName"));
	const struct pod_defaults *class =
	    cluster_runtime_class(cluster, sym_intern(name));
	const struct doc_node *root, *scheduling;

	if (name[0] != '\0' && class == NULL)
		ctl_print(
		    "RuntimeClass \"%s\" is not in the input: its overhead, "
		    "nodeSelector and tolerations are not taken into "
		    "account",
		    name);
	root = class != NULL ? source(spec, name, class->json) : NULL;
	pod_put_copy(spec, "overhead",
	    doc_get(doc_get(root, "overhead"), "podFixed"));
	scheduling = doc_get(root, "scheduling");
	EACH_CHILD (p, doc_get(scheduling, "nodeSelector"))
		select_node(spec, "its RuntimeClass", p->key, doc_string(p));
	tolerate(spec, doc_get(scheduling, "tolerations"));
}

void
pod_add_defaults(struct doc_node *pod, const struct cluster *cluster)
{
	struct doc_node *spec = (struct doc_node *)doc_get(pod, "spec");
	const char *name =
	    doc_string(doc_get(doc_get(pod, "metadata"), "namespace"));
	sym namespace = sym_intern(name[0] != '\0' ? name : "default");

	if (!is_object(spec))
		return;
	set_defaults(spec);
	admit_limits(spec, cluster, namespace);
	admit_namespace(spec, cluster_namespace_object(cluster, namespace));
	admit_runtime_class(spec, cluster);
}
