#include "config.h"

#include "tool/input/load.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "wire/api/list_page.h"
#include "base/doc.h"
#include "base/excerpt.h"
#include "base/hash.h"
#include "base/sorted.h"
#include "base/text.h"
#include "cluster/confines.h"
#include "cluster/pod_priority.h"
#include "tool/commands/ctl.h"
#include "tool/input/live.h"
#include "tool/commands/options.h"
#include "tool/commands/progress.h"
#include "objects/fields.h"
#include "objects/release.h"
#include "objects/steering.h"
#include "objects/storage.h"

/* Why objects of a kind are skipped. */
enum skip {
	SKIP_UNUSED,
	SKIP_UNSUPPORTED, /* of those that are not decoded */
	SKIPS,
};

/* A skipped kind, and its number of objects. */
struct skipped {
	size_t times;
	char kind[];
};

/* The position of an object. */
struct seen {
	const char *file;
	uint32_t line, column;
};

struct loader {
	const struct options *options;
	struct load *load;
	const struct load_witness *witness; /* or NULL */
	struct strmap seen; /* by "kind namespace name", and "uid …" of pods */
	struct arena arena;           /* of seen, skipped */
	struct strmap skipped[SKIPS]; /* by kind */
	size_t nskipped[SKIPS];
	struct progress progress;
	size_t nobjects, nnodes;
	bool in_folder; /* whose files may have an object twice */
};

static void
skip(struct loader *loader, const char *kind, enum skip why)
{
	struct skipped *s = strmap_get(&loader->skipped[why], kind);
	size_t len = strlen(kind);

	loader->nskipped[why]++;
	if (s == NULL) {
		s = arena_zalloc(&loader->arena, sizeof(*s) + len + 1);
		memcpy(s->kind, kind, len);
		strmap_put(&loader->skipped[why], s->kind, s);
	}
	s->times++;
}

static int
compare_skipped(const void *a, const void *b)
{
	const struct skipped *x = *(struct skipped *const *)a;
	const struct skipped *y = *(struct skipped *const *)b;

	if (x->times != y->times)
		return x->times < y->times ? 1 : -1;
	return strcmp(x->kind, y->kind);
}

/* A dump may have as many kinds as objects. */
#define KINDS_SAID 50

/* "10 ConfigMap, 2 Secret"; you own it. */
static char *
skipped_kinds(const struct loader *loader, enum skip why)
{
	const struct strmap *map = &loader->skipped[why];
	struct skipped **sorted = xcalloc(map->n, sizeof(struct skipped *));
	struct text list = { 0 };
	size_t n = 0;

	EACH_VALUE (map, struct skipped, s)
		sorted[n++] = s;
	SORT(sorted, n, compare_skipped);
	for (size_t i = 0; i < n && i < KINDS_SAID; i++)
		text_printf(&list, "%s%zu %s", i > 0 ? ", " : "",
		    sorted[i]->times,
		    sorted[i]->kind[0] != '\0' ? sorted[i]->kind :
						 "without a kind");
	if (n > KINDS_SAID)
		text_put(&list, ", and others");
	free(sorted);
	return text_take(&list);
}

static void
print_skipped(const struct loader *loader)
{
	static const char *const sentences[SKIPS] = {
		[SKIP_UNUSED] = "of kinds that scheduling does not use",
		[SKIP_UNSUPPORTED] =
		    "of kinds that steer scheduling and are not supported",
	};

	for (enum skip why = 0; why < SKIPS; why++) {
		size_t n = loader->nskipped[why];
		AUTOFREE char *kinds = NULL;

		if (n == 0)
			continue;
		kinds = skipped_kinds(loader, why);
		ctl_print("skipped %zu object%s %s: %s", n, plural_of(n),
		    sentences[why], kinds);
	}
}

/* Records the position of the object under the key; returns the previous object
 * under the same key, or NULL. */
static const struct seen *
note_seen(struct loader *loader, const struct doc_node *root, const char *key)
{
	struct seen *seen = arena_array(&loader->arena, struct seen, 1);

	*seen = (struct seen){ sym_text(sym_intern(doc_name(root->doc))),
		root->line, root->column };
	return strmap_put(&loader->seen, key, seen);
}

/* "node", "pod", "service"; names of several words stay as they are. */
static void
kind_in_sentence(enum object_kind kind, char *buf, size_t size)
{
	snprintf(buf, size, "%s", object_kind_name(kind));
	for (const char *p = buf + 1; *p != '\0'; p++)
		if (isupper((unsigned char)*p))
			return;
	buf[0] = (char)tolower((unsigned char)buf[0]);
}

/* 1: a file of the same folder had it. */
static int
check_seen(struct loader *loader, const struct doc_node *root,
    const struct object *object, struct err *err)
{
	struct arena *arena = &loader->arena;
	const struct seen *first = note_seen(loader, root,
	    arena_printf(arena, "%s %s %s", object_kind_name(object->kind),
		sym_text(object->namespace), object->name));

	if (first != NULL && loader->in_folder)
		return 1;
	if (first != NULL) {
		char kind[64];

		kind_in_sentence(object->kind, kind, sizeof(kind));
		return doc_errf(err, root,
		    "%s \"%s%s%s\" appears twice; first at "
		    "%s:%" PRIu32 ":%" PRIu32,
		    kind, sym_text(object->namespace),
		    object->namespace != SYM_EMPTY ? "/" : "", object->name,
		    first->file, first->line, first->column);
	}
	if (object->kind != OBJECT_POD)
		return 0;
	/* The uid identifies a pod: pods with equal ones would replace each
	 * other. */
	first = note_seen(loader, root,
	    arena_printf(arena, "uid  %s", object->uid));
	if (first != NULL)
		return doc_errf(err, root,
		    "pod \"%s/%s\" has the uid \"%s\" of "
		    "the pod at %s:%" PRIu32 ":%" PRIu32,
		    sym_text(object->namespace), object->name, object->uid,
		    first->file, first->line, first->column);
	return 0;
}

/* Takes the object. */
static void
keep(struct loader *loader, struct object *object)
{
	struct load *load = loader->load;

	vec_room(load->objects, load->nobjects, &load->objects_cap);
	load->objects[load->nobjects++] = object;
	loader->nnodes += object->kind == OBJECT_NODE;
}

static bool
kind_of(const struct arrival *broken, enum object_kind *out)
{
	const struct doc_field *fields =
	    object_partial_fields(OBJECT_POD, PARTIAL_NAMED);
	const struct doc_node *root = broken->root;
	const char *kind = broken->kind;
	struct doc *again = NULL;
	bool found;

	if (root == NULL)
		again = arrival_again(broken, fields, &root, NULL);
	if (root != NULL)
		doc_get_string(root, "kind", "kind", &kind, NULL);
	found = object_kind_parse(kind, out);
	doc_free(again);
	return found;
}

/* Takes the decoded part of an object that is left out. */
static int
take_partial(struct loader *loader, const struct arrival *broken,
    struct object *object, struct err *err)
{
	struct load *load = loader->load;
	struct pod *pod = (struct pod *)object;
	int seen = broken->root != NULL ?
	    check_seen(loader, broken->root, object, err) :
	    0;

	if (seen != 0) {
		object_unref(object);
		return seen < 0 ? -1 : 0;
	}
	if (object->kind != OBJECT_POD) {
		object_unref(object);
	} else if (pod->node != SYM_EMPTY) {
		keep(loader, object);
	} else {
		vec_room(load->left_out, load->nleft_out, &load->left_out_cap);
		load->left_out[load->nleft_out++] = pod;
	}
	return 0;
}

/* why has the position. */
static int
leave_out(struct loader *loader, const struct arrival *broken, const char *why,
    struct err *err)
{
	struct object *object = NULL;
	AUTOFREE char *name = NULL, *then = NULL;
	const struct doc_node *root;
	struct doc *again = NULL;
	enum object_kind kind;

	if (kind_of(broken, &kind))
		object =
		    arrival_decode_partial(broken, &loader->options->settings,
			kind, PARTIAL_COUNTED, PARTIAL_NAMED, &again, &root);
	doc_free(again);
	if (object == NULL) {
		ctl_print("warning: %s; ignoring an object without a name",
		    why);
		return 0;
	}
	name = object_full_name(object);
	then = object_partial_says(object);
	ctl_print("warning: %s; %s is left out: %s", why, name, then);
	return take_partial(loader, broken, object, err);
}

/* To the witness. */
static void
show(const struct loader *loader, const struct object *object,
    const struct doc_node *root, const char *kind, const char *api_version)
{
	if (loader->witness != NULL)
		loader->witness->each(loader->witness->arg, object, root, kind,
		    api_version);
}

/* An object of the input; api_version unless it has its own. */
static int
load_one(void *arg, const struct arrival *arrival, const char *api_version,
    struct err *err)
{
	struct loader *loader = arg;
	const struct doc_node *root = arrival->root;
	const char *kind = "";
	struct object *object;
	uint32_t unsupported;
	struct err why;
	int rc;

	if (root == NULL)
		return leave_out(loader, arrival, arrival->error, err);
	rc = object_decode(&loader->options->settings, root, arrival->kind,
	    &object, &kind, &why);
	if (rc < 0 && root->kind != DOC_OBJECT)
		return errf(err, "%s", why.text);
	if (rc < 0)
		return leave_out(loader, arrival, why.text, err);
	doc_get_string(root, "apiVersion", "apiVersion", &api_version, NULL);
	if (rc > 0) /* object_decode() names those that it does not decode */
		doc_get_string(root, "kind", "kind", &kind, NULL);
	/* Objects of unsupported kinds, and with unsupported fields; pods' are
	 * in their classes. */
	unsupported = 0;
	if (strcmp(kind, "Pod") != 0)
		unsupported = unsupported_of_object(root, api_version, kind);
	for (enum unsupported i = 0; i < UNSUPPORTED_FIELDS; i++)
		if (unsupported & UNSUPPORTED_BIT(i))
			loader->load->nunsupported[i]++;
	if (rc == 0) {
		rc = openshift_take(&loader->load->openshift, root, err);
		if (rc == 1)
			show(loader, NULL, root, kind, api_version);
		if (rc == 0)
			skip(loader, kind,
			    unsupported != 0 || steering_has_kind(kind) ?
				SKIP_UNSUPPORTED :
				SKIP_UNUSED);
		return rc < 0 ? -1 : 0;
	}
	rc = check_seen(loader, root, object, err);
	if (rc != 0) {
		object_unref(object);
		return rc < 0 ? -1 : 0;
	}
	show(loader, object, root, kind, api_version);
	keep(loader, object);
	progress_show(&loader->progress, "read", ++loader->nobjects, 0,
	    "objects");
	return 0;
}

static int
load_file(struct loader *loader, const char *path, struct err *err)
{
	struct doc_reader *reader;
	struct arrival arrival = { 0 };
	struct err why;
	int rc;

	reader = doc_open_file(path, &doc_limits_dump, true, err);
	if (reader == NULL)
		return -1;
	arrival.json = reader;
	arrival.error = why.text;
	while ((rc = doc_next(reader, &arrival.root, &why)) != 0) {
		arrival.kind = doc_item_kind(reader);
		if (rc < 0 && doc_pass_over(reader)) {
			arrival.root = NULL;
			rc = 1;
		}
		if (rc == 1)
			rc = load_one(loader, &arrival, "", err);
		else
			errf(err, "%s", why.text);
		if (rc != 0)
			break;
	}
	if (rc != 0 && !loader->in_folder) {
		/* After an error: the line, on standard error, before the error
		 * itself. */
		size_t len;
		const char *text = doc_whole_text(reader, &len);

		load_print_excerpt(excerpt_of(text, len,
		    options_is_stdin(path) ? "stdin" : path, err->text));
	}
	doc_close(reader);
	return rc;
}

static int
compare_entries(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/*
 * All manifests below the folder, as `oc adm must-gather`, `oc adm inspect` and
 * `kubectl cluster-info dump --output-directory` write them.  These hold other files,
 * too, and pods both in lists and alone.
 */
static int
load_folder(struct loader *loader, const char *path, struct err *err)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR,
	    compare_entries);
	const FTSENT *e;
	const char *dot;
	struct err why;

	if (tree == NULL)
		return errf(err, "%s: %s", path, strerror(errno));
	loader->in_folder = true;
	while ((e = fts_read(tree)) != NULL)
		if (e->fts_info == FTS_F &&
		    (dot = strrchr(e->fts_name, '.')) != NULL &&
		    text_is_choice(".json|.yaml|.yml", dot) &&
		    load_file(loader, e->fts_path, &why) != 0)
			ctl_print(
			    "warning: %s; the rest of the file is left out",
			    why.text);
	fts_close(tree);
	loader->in_folder = false;
	return 0;
}

/* Every cluster has nodes: a dump without one is a failed command's. */
static int
check_nodes(const struct loader *loader, const struct options *options,
    struct err *err)
{
	const char *path = options->nclusters > 0 ? options->clusters[0] : "";

	if (loader->nnodes > 0)
		return 0;
	if (options->nclusters == 0)
		return errf(err, "%s: the cluster has no nodes",
		    loader->load->live.server);
	if (options->nclusters > 1)
		return errf(err, "no Node in the input; did kubectl fail?");
	return errf(err, "%s: no Node in the input; did kubectl fail?",
	    options_is_stdin(path) ? "stdin" : path);
}

/* The node with the oldest kubelet from this release on, NULL if none says its
 * version; *newest is raised to the newest one's. */
static const struct node *
oldest_node(const struct load *load, int from, int *newest)
{
	const struct node *oldest = NULL;

	for (size_t i = 0; i < load->nobjects; i++) {
		const struct node *node = (struct node *)load->objects[i];

		if (load->objects[i]->kind != OBJECT_NODE ||
		    node->kubelet_minor < 0 || node->kubelet_minor < from)
			continue;
		if (oldest == NULL ||
		    node->kubelet_minor < oldest->kubelet_minor)
			oldest = node;
		if (node->kubelet_minor > *newest)
			*newest = node->kubelet_minor;
	}
	return oldest;
}

/* Says which rules count, if that is a guess or wanted. */
static int __attribute__((format(printf, 4, 5)))
take_release(const struct options *options, bool guess, int release,
    const char *fmt, ...)
{
	AUTOFREE char *text = NULL;

	XFORMAT(text, fmt);
	if (guess || options->verbose)
		ctl_print("rules of Kubernetes 1.%d%s", release, text);
	return release;
}

int
load_release(const struct load *load, const struct options *options)
{
	int newest = 0;
	const struct node *first = oldest_node(load, 0, &newest);
	/* How many releases a kubelet may be behind the API server
	 * (https://kubernetes.io/releases/version-skew-policy). */
	const struct node *oldest =
	    oldest_node(load, newest - (newest < 28 ? 2 : 3), &newest);
	const struct live *live = &load->live;

	if (options->kubernetes_minor != 0)
		return take_release(options, false, options->kubernetes_minor,
		    " (--kubernetes-version)");
	if (live->server != NULL && live->minor >= 0)
		return take_release(options, false,
		    release_of_rules(live->minor),
		    ": the API server %s is 1.%d; --kubernetes-version "
		    "overrides that",
		    live->server, live->minor);
	if (oldest != NULL)
		return take_release(options, first->kubelet_minor < newest,
		    release_of_rules(oldest->kubelet_minor),
		    ": the oldest kubelet%s, on node %s, is 1.%d; "
		    "--kubernetes-version overrides that",
		    first->kubelet_minor < oldest->kubelet_minor ?
			" that the newest one allows" :
			"",
		    sym_text(oldest->name), oldest->kubelet_minor);
	return take_release(options, true, RELEASE_OLDEST,
	    ": no node has a kubelet's version; see --kubernetes-version");
}

/* From the objects to the cluster, whose release is known. */
static void
put_all(struct load *load, const struct openshift *openshift,
    const struct profiles *profiles)
{
	int release;

	load->cluster->kubernetes_minor = load->release;
	load->cluster->device_steps = DEVICE_STEPS_AT_LEISURE;
	/* A configuration of this release is for no older cluster. */
	release = profiles != NULL ? profiles->at[0]->release : 0;
	if (release > load->cluster->kubernetes_minor) {
		load->cluster->kubernetes_minor = release;
		ctl_print(
		    "rules of Kubernetes 1.%d: the configuration is read as that "
		    "release reads it",
		    release);
	}
	if (openshift->place != NULL)
		cluster_set_default_node_selector(load->cluster,
		    &openshift->node_selector);
	for (size_t i = 0; i < load->nobjects; i++)
		if (load->objects[i]->kind != OBJECT_POD)
			cluster_put(load->cluster, load->objects[i]);
	for (size_t i = 0; i < load->nobjects; i++)
		if (load->objects[i]->kind == OBJECT_POD) {
			struct pod *pod = (struct pod *)load->objects[i];

			pod = cluster_prioritized(load->cluster, pod_ref(pod));
			if (pod->node == SYM_EMPTY)
				pod = cluster_confined(load->cluster, pod);
			vec_room(load->pods, load->npods, &load->pods_cap);
			load->pods[load->npods++] = pod;
			cluster_put(load->cluster, &pod->object);
		}
}

/* ---- what is missing ---- */

enum absent {
	ABSENT_CLAIMS,
	ABSENT_VOLUMES,
	ABSENT_CLASSES,
	ABSENT_PRIORITIES,
	ABSENTS,
};

/* The kind, and its resource's name for kubectl and in roles. */
static const struct {
	enum object_kind kind;
	const char *plural, *resource, *role;
} kinds[ABSENTS] = {
	[ABSENT_CLAIMS] = { OBJECT_PERSISTENT_VOLUME_CLAIM,
	    "PersistentVolumeClaims", "pvc", "persistentvolumeclaims" },
	[ABSENT_VOLUMES] = { OBJECT_PERSISTENT_VOLUME, "PersistentVolumes",
	    "pv", "persistentvolumes" },
	[ABSENT_CLASSES] = { OBJECT_STORAGE_CLASS, "StorageClasses", "sc",
	    "storageclasses" },
	[ABSENT_PRIORITIES] = { OBJECT_PRIORITY_CLASS, "PriorityClasses", "pc",
	    "priorityclasses" },
};

static void
look_at_pod(const struct cluster *cluster, const struct pod *pod,
    bool named[ABSENTS])
{
	const struct pod_class *class = pod->class;

	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *volume = &class->volumes[i];
		const struct persistent_volume_claim *claim;

		if (!volume_is_claim(volume->kind, cluster->kubernetes_minor))
			continue;
		claim = cluster_claim(cluster, class->namespace, volume->id);
		named[ABSENT_CLAIMS] = true;
		if (claim == NULL)
			continue;
		named[ABSENT_VOLUMES] |= claim->volume_name != SYM_EMPTY;
		named[ABSENT_CLASSES] |= claim->volume_name == SYM_EMPTY &&
		    claim->has_class && claim->class != SYM_EMPTY;
	}
	/* Kubernetes makes system-… itself. */
	named[ABSENT_PRIORITIES] |= !pod->has_priority &&
	    pod->priority_class != SYM_EMPTY &&
	    strncmp(sym_text(pod->priority_class), "system-", 7) != 0;
}

static void
print_kind(const struct live *live, enum absent which)
{
	const char *plural = kinds[which].plural;

	if (live->server == NULL)
		ctl_print(
		    "the dump holds no %s, which pending pods use; add %s "
		    "to kubectl get",
		    plural, kinds[which].resource);
	else if (live->states[kinds[which].kind] == LIVE_FORBIDDEN)
		ctl_print("not allowed to list %s, which pending pods use; a "
			  "role needs get and list for %s",
		    plural, kinds[which].role);
	else if (live->states[kinds[which].kind] == LIVE_NOT_SERVED)
		ctl_print("the API server has no %s, which pending pods use",
		    plural);
}

/*
 * Says on standard error, a line for each, the kinds of which the cluster has
 * no object and a pending pod of these (or a claim of such a pod) names one: a
 * scheduler would call the object missing, but only the dump is incomplete.  Of a
 * live cluster these are the kinds that it does not serve or that may not be listed.
 * A PriorityClass counts only for a pod without spec.priority.
 */
static void
print_absent(const struct cluster *cluster, const struct live *live,
    size_t npods, struct pod *const *pods)
{
	bool named[ABSENTS] = { false };

	for (size_t i = 0; i < npods; i++)
		if (pods[i]->node == SYM_EMPTY)
			look_at_pod(cluster, pods[i], named);
	for (enum absent i = 0; i < ABSENTS; i++)
		if (named[i] && cluster->named[kinds[i].kind].n == 0)
			print_kind(live, i);
}

/* ---- from files or the API server ---- */

/* The ConfigMap with the policy, if that is to be found in the cluster. */
static const char *
live_policy(void *arg)
{
	const struct loader *loader = arg;
	const struct openshift *openshift = &loader->load->openshift;

	if (!options_follow_cluster(loader->options) ||
	    openshift->place == NULL || openshift->config_map[0] == '\0')
		return NULL;
	return openshift->config_map;
}

static int
read_objects(struct loader *loader, const struct profiles *profiles,
    struct err *err)
{
	const struct options *options = loader->options;
	int rc = 0;

	progress_init(&loader->progress);
	if (options->nclusters == 0) {
		static const struct live_ops ops = { load_one, live_policy };
		int release = profiles != NULL ? profiles->at[0]->release : 0;

		/* The other configuration may be of any release, and so may the
		 * dump's. */
		if (loader->options->command == COMMAND_DIFF ||
		    loader->options->command == COMMAND_DUMP)
			release = RELEASE_NEWEST;
		rc = live_read(loader->options, release, &ops, loader,
		    &loader->load->live, err);
	}
	for (size_t i = 0; rc == 0 && i < options->nclusters; i++) {
		/* A dump, or a folder of them. */
		const char *path = options->clusters[i];
		struct stat st;

		rc = stat(path, &st) == 0 && S_ISDIR(st.st_mode) ?
		    load_folder(loader, path, err) :
		    load_file(loader, path, err);
	}
	progress_end(&loader->progress);
	return rc == 0 ? check_nodes(loader, options, err) : -1;
}

int
load_cluster(const struct options *options, struct profiles **profiles,
    const struct load_witness *witness, struct load *load, struct err *err)
{
	struct loader loader = { .options = options,
		.load = load,
		.witness = witness };
	int rc;

	memset(load, 0, sizeof(*load));
	load->settings = &options->settings;
	load->cluster = cluster_new();
	rc = read_objects(&loader, profiles != NULL ? *profiles : NULL, err);
	if (rc == 0) {
		print_skipped(&loader);
		load->release = load_release(load, options);
		if (options->policy_options.strict)
			ctl_print(
			    "fields later than 1.15 do not count "
			    "(--strict-policy), but for the resources and "
			    "ports that pods take from their nodes");
		if (profiles != NULL)
			load_follow_release(options, load->release, profiles);
		put_all(load, &load->openshift,
		    profiles != NULL ? *profiles : NULL);
		print_absent(load->cluster, &load->live, load->npods,
		    load->pods);
	} else {
		load_fini(load);
	}
	strmap_fini(&loader.seen);
	for (enum skip why = 0; why < SKIPS; why++)
		strmap_fini(&loader.skipped[why]);
	arena_fini(&loader.arena);
	return rc;
}

/* By the name of the node, its own or that of a pod. */
static bool
is_in_part(const struct object *object, unsigned part, unsigned nparts)
{
	const struct pod *pod = (const struct pod *)object;
	const char *name =
	    object->kind == OBJECT_POD && pod->node != SYM_EMPTY ?
	    sym_text(pod->node) :
	    object->name;

	return (object->kind != OBJECT_POD && object->kind != OBJECT_NODE) ||
	    hash_stable(name, strlen(name)) % nparts == part;
}

void
load_again(const struct load *from, const struct profiles *profiles,
    int release, unsigned part, unsigned nparts, struct load *load)
{
	memset(load, 0, sizeof(*load));
	load->settings = from->settings;
	load->cluster = cluster_new();
	load->release = release != 0 ? release : from->release;
	for (size_t i = 0; i < from->nobjects; i++) {
		if (!is_in_part(from->objects[i], part, nparts))
			continue;
		vec_room(load->objects, load->nobjects, &load->objects_cap);
		load->objects[load->nobjects++] = object_ref(from->objects[i]);
	}
	put_all(load, &from->openshift, profiles);
}

void
load_fini(struct load *load)
{
	for (size_t i = 0; i < load->npods; i++)
		pod_unref(load->pods[i]);
	free(load->pods);
	for (size_t i = 0; i < load->nobjects; i++)
		object_unref(load->objects[i]);
	free(load->objects);
	for (size_t i = 0; i < load->nleft_out; i++)
		pod_unref(load->left_out[i]);
	free(load->left_out);
	openshift_fini(&load->openshift);
	live_fini(&load->live);
	cluster_free(load->cluster);
	memset(load, 0, sizeof(*load));
}

struct pod *
load_pod(const char *path, const struct load *load)
{
	struct err err;
	struct pod *pod =
	    (struct pod *)object_file_read(path, OBJECT_POD, load, &err);

	if (pod == NULL) {
		ctl_print("%s", err.text);
		return NULL;
	}
	pod = cluster_prioritized(load->cluster, pod);
	print_absent(load->cluster, &load->live, 1, &pod);
	return pod;
}

struct pod *
load_pod_alone(const struct load *load, const char *path)
{
	struct pod *pod = load_pod(path, load);

	for (size_t i = 0; pod != NULL && i < load->npods; i++) {
		if (strcmp(load->pods[i]->object.uid, pod->object.uid) != 0)
			continue;
		ctl_print("%s is also in the cluster; it is removed from there "
			  "first",
		    pod_full_name(pod));
		cluster_remove(load->cluster, &load->pods[i]->object);
	}
	return pod;
}

bool
pod_is_pending(const struct pod *pod)
{
	return pod->node == SYM_EMPTY && !pod_has_ended(pod);
}
