#include "config.h"

#include "daemon/record/reader.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/doc.h"
#include "base/map.h"
#include "cluster/cluster.h"
#include "cluster/confines.h"
#include "decide/framework/extension.h"
#include "objects/decode.h"
#include "objects/labels.h"
#include "objects/limits.h"
#include "objects/pod.h"

#define HEADER "{\"header\":" /* the first bytes of every record */
#define HEADER_LEN ((ssize_t)sizeof(HEADER) - 1)

/* An object as it was put last. */
struct known {
	struct object *object;
	char key[];
};

/* The members of lines that are texts; "" for those that are absent. */
enum text_member { KIND, NAMESPACE, NAME, UID, NODE, NOMINATED, CLAIM, VOLUME };
static const char *const text_members[] = { "kind", "namespace", "name", "uid",
	"node", "nominated", "claim", "volume" };

struct reader {
	const struct record_ops *ops;
	void *arg;
	struct cluster *cluster;
	struct strmap objects; /* struct known, by key */
	bool has_header;
	struct decode_settings settings; /* the header's */
	/* Of the line in hand: its texts, and the pod or claim that it is about. */
	const char *texts[LENGTH(text_members)];
	struct pod *pod;
	const struct persistent_volume_claim *claim;
};

/* ---- known objects ---- */

static void
known_free(struct known *known)
{
	if (known == NULL)
		return;
	object_unref(known->object);
	free(known);
}

/* Takes the object. */
static void
remember(struct reader *r, struct object *object)
{
	AUTOFREE char *key = record_key(object->kind,
	    sym_text(object->namespace), object->name, object->uid);
	struct known *known = strmap_get(&r->objects, key);

	if (known != NULL) {
		object_unref(known->object);
		known->object = object;
		return;
	}
	known = xmalloc(sizeof(*known) + strlen(key) + 1);
	known->object = object;
	memcpy(known->key, key, strlen(key) + 1);
	strmap_put(&r->objects, known->key, known);
}

static struct pod *
known_pod(const struct reader *r, const char *uid)
{
	const struct known *known = strmap_get(&r->objects, uid);

	return known != NULL && known->object->kind == OBJECT_POD ?
	    (struct pod *)known->object :
	    NULL;
}

/* What a line is about, beyond its own value. */
enum subject { NOTHING, TEXTS, A_POD, A_CLAIM };

static int
read_subject(struct reader *r, const struct doc_node *at, enum subject subject,
    struct err *err)
{
	for (size_t i = 0; i < LENGTH(text_members); i++) {
		r->texts[i] = "";
		if (doc_get_string(at, text_members[i], text_members[i],
			&r->texts[i], err) != 0)
			return -1;
	}
	r->pod = known_pod(r, r->texts[UID]);
	if (subject == A_POD && r->pod == NULL)
		return doc_errf(err, at,
		    "no pod with the uid \"%.100s\" was put", r->texts[UID]);
	r->claim = cluster_claim(r->cluster, sym_find(r->texts[NAMESPACE]),
	    sym_find(r->texts[CLAIM]));
	if (subject == A_CLAIM && r->claim == NULL)
		return doc_errf(err, at, "no claim \"%.100s/%.100s\" was put",
		    r->texts[NAMESPACE], r->texts[CLAIM]);
	return 0;
}

/* ---- changes of the cluster ---- */

static int
read_put(struct reader *r, const struct doc_node *line, struct err *err)
{
	const struct doc_node *root = NULL;
	const char *kind_name = "";
	struct object *object = NULL;
	enum object_kind kind;
	int64_t partial = PARTIAL_NONE;
	struct pod *pod;

	if (doc_get_string(line, "put", "put", &kind_name, err) != 0 ||
	    doc_get_int(line, "partial", "partial", PARTIAL_NONE,
		PARTIAL_SET_ASIDE, &partial, err) != 0 ||
	    doc_get_object(line, "object", "object", &root, err) != 0)
		return -1;
	if (root == NULL || !object_kind_parse(kind_name, &kind))
		return doc_errf(err, line,
		    "put must name a kind and have an object");
	/* of other kinds nothing but a name would be left */
	if (partial != PARTIAL_NONE && kind != OBJECT_POD)
		return doc_errf(err, line, "only a pod can be put in part");
	if (partial != PARTIAL_NONE)
		object = object_decode_partial(&r->settings, kind,
		    (enum partial)partial, (struct doc *)line->doc, root, err);
	else if (object_decode(&r->settings, root, kind_name, &object, NULL,
		     err) == 0)
		return doc_errf(err, root, "it is no %s", kind_name);
	if (object == NULL)
		return -1;
	if (object->kind != kind) {
		object_unref(object);
		return doc_errf(err, root, "it is no %s", kind_name);
	}
	pod = (struct pod *)object;
	if (kind == OBJECT_POD && pod->node == SYM_EMPTY) {
		pod = cluster_confined(r->cluster, pod_ref(pod));
		cluster_put(r->cluster, &pod->object);
		pod_unref(pod);
	} else {
		cluster_put(r->cluster, object);
	}
	remember(r, object);
	return 0;
}

static int
read_again(struct reader *r, const struct doc_node *at, struct err *err)
{
	struct pod *pod = cluster_confined(r->cluster,
	    pod_nominated_to(r->pod, sym_intern(r->texts[NOMINATED])));

	cluster_put(r->cluster, &pod->object);
	pod_unref(pod);
	return 0;
}

static int
read_remove(struct reader *r, const struct doc_node *at, struct err *err)
{
	AUTOFREE char *key = NULL;
	enum object_kind kind;
	struct known *known;

	if (!object_kind_parse(r->texts[KIND], &kind))
		return doc_errf(err, at, "kind \"%.100s\" is unknown",
		    r->texts[KIND]);
	key = record_key(kind, r->texts[NAMESPACE], r->texts[NAME],
	    r->texts[UID]);
	known = strmap_del(&r->objects, key);
	/* pods of other schedulers were never put */
	if (known != NULL)
		cluster_remove(r->cluster, known->object);
	known_free(known);
	return 0;
}

static int
read_assume(struct reader *r, const struct doc_node *at, struct err *err)
{
	struct err why;

	if (cluster_assume(r->cluster, r->pod, sym_intern(r->texts[NODE]),
		&why) != 0)
		return doc_errf(err, at, "%s", why.text);
	return 0;
}

static int
read_forget(struct reader *r, const struct doc_node *at, struct err *err)
{
	cluster_forget(r->cluster, r->pod);
	return 0;
}

/* Takes the object. */
static int
put_derived(struct reader *r, struct object *object)
{
	cluster_put(r->cluster, object);
	object_unref(object);
	return 0;
}

static int
read_claimed(struct reader *r, const struct doc_node *at, struct err *err)
{
	const struct persistent_volume *volume =
	    cluster_volume(r->cluster, sym_find(r->texts[VOLUME]));

	if (volume == NULL)
		return doc_errf(err, at, "no volume \"%.100s\" was put",
		    r->texts[VOLUME]);
	return put_derived(r,
	    &persistent_volume_claimed_by(volume, r->claim)->object);
}

static int
read_selected(struct reader *r, const struct doc_node *at, struct err *err)
{
	return put_derived(r,
	    &persistent_volume_claim_selected(r->claim,
		sym_intern(r->texts[NODE]))
		 ->object);
}

/* A claim that was given devices. */
static int
read_allocated(struct reader *r, const struct doc_node *at, struct err *err)
{
	struct object *given =
	    object_decode_as(&r->settings, OBJECT_RESOURCE_CLAIM, at, err);
	const struct resource_claim *claim, *now = (const void *)given;

	if (given == NULL)
		return -1;
	claim =
	    (const struct resource_claim *)cluster_object(r->cluster, given);
	if (claim == NULL) { /* the scheduler makes it */
		claim = now;
		remember(r, object_ref(given));
	}
	put_derived(r,
	    now->allocated ? &resource_claim_pending(claim, now)->object :
			     object_ref(given));
	object_unref(given);
	return 0;
}

/* ---- settings ---- */

static int
read_header(struct reader *r, const struct doc_node *at, struct err *err)
{
	struct record_header header;
	struct err why;

	if (r->has_header)
		return doc_errf(err, at, "a second header");
	if (record_read_header(at, &header, err) != 0)
		return -1;
	if (header.version != RECORD_VERSION)
		return doc_errf(err, at,
		    "a record of version %d, this program reads %d",
		    (int)header.version, RECORD_VERSION);
	if (pod_limits_parse(header.pod_limits, &r->settings.pod_limits,
		&why) != 0)
		return doc_errf(err, at, "podLimits: %s", why.text);
	r->settings.pod_level = header.pod_level;
	r->settings.pod_level_in_status = header.in_place;
	r->cluster->kubernetes_minor = header.kubernetes_minor;
	r->has_header = true;
	return 0;
}

static int
read_policy(struct reader *r, const struct doc_node *at, struct err *err)
{
	struct record_policy policy;
	struct err why;

	if (record_read_policy(at, &policy, err) != 0)
		return -1;
	if (r->ops->policy(r->arg, &policy, &why) != 0)
		return doc_errf(err, at, "%s", why.text);
	return 0;
}

static int
read_node_selector(struct reader *r, const struct doc_node *at, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct decoder d = decoder_of(&arena, at, "nodeSelector", err);
	struct labels labels;

	if (at->kind == DOC_NULL) {
		cluster_set_default_node_selector(r->cluster, NULL);
		return 0;
	}
	labels = decode_labels(&d, at);
	if (!d.failed)
		cluster_set_default_node_selector(r->cluster, &labels);
	arena_fini(&arena);
	return d.failed ? -1 : 0;
}

static int
read_schedulers(struct reader *r, const struct doc_node *at, struct err *err)
{
	AUTOFREE sym *names = NULL;
	size_t n = 0;

	if (at->kind != DOC_ARRAY || at->count == 0)
		return doc_errf(err, at, "schedulers must name at least one");
	names = xcalloc(at->count, sizeof(*names));
	EACH_CHILD (name, at) {
		if (name->kind != DOC_STRING)
			return doc_errf(err, name,
			    "schedulers[] must be a string, not %s",
			    doc_kind_name(name->kind));
		names[n++] = sym_intern(name->text);
	}
	cluster_set_scheduler_names(r->cluster, n, names);
	return 0;
}

/* ---- decisions ---- */

static int
read_decision(struct reader *r, const struct doc_node *at, struct err *err)
{
	struct record_decision decision;
	struct extension extension;
	struct pod *pod = NULL;
	const struct pod *put;
	int rc = record_read_decision(at, &decision, &extension, err);

	if (rc == 0) {
		put = known_pod(r, decision.uid);
		if (put != NULL && put->node == SYM_EMPTY &&
		    strcmp(put->object.resource_version,
			decision.resource_version) == 0)
			pod = cluster_confined(r->cluster,
			    pod_nominated_to(put,
				sym_intern(decision.nominated)));
		r->ops->decision(r->arg, &decision, pod);
		pod_unref(pod);
	}
	extension_fini(&extension);
	return rc;
}

/* ---- lines ---- */

static const struct {
	const char *key;
	int (*read)(struct reader *r, const struct doc_node *at,
	    struct err *err);
	enum subject subject;
} kinds[] = {
	{ "header", read_header, NOTHING },
	{ "policy", read_policy, NOTHING },
	{ "nodeSelector", read_node_selector, NOTHING },
	{ "schedulers", read_schedulers, NOTHING },
	{ "again", read_again, A_POD },
	{ "claimed", read_claimed, A_CLAIM },
	{ "selected", read_selected, A_CLAIM },
	{ "allocated", read_allocated, NOTHING },
	{ "remove", read_remove, TEXTS },
	{ "assume", read_assume, A_POD },
	{ "forget", read_forget, A_POD },
	{ "decision", read_decision, NOTHING },
};

static int
read_root(struct reader *r, const struct doc_node *root, struct err *err)
{
	const struct doc_node *first = root->first;
	size_t i;

	if (root->kind != DOC_OBJECT || first == NULL)
		return doc_errf(err, root, "a line of a record is an object");
	if (!r->has_header && strcmp(first->key, "header") != 0)
		return doc_errf(err, root,
		    "a record of decisions begins with its header");
	if (strcmp(first->key, "put") == 0)
		return read_put(r, root, err);
	for (i = 0; i < LENGTH(kinds); i++)
		if (strcmp(first->key, kinds[i].key) == 0)
			break;
	if (i == LENGTH(kinds))
		return doc_errf(err, first, "\"%.40s\" is unknown in a record",
		    first->key);
	if (kinds[i].subject != NOTHING &&
	    read_subject(r, first, kinds[i].subject, err) != 0)
		return -1;
	return kinds[i].read(r, first, err);
}

static int
read_line(struct reader *r, const char *path, size_t number, const char *line,
    size_t len, struct err *err)
{
	AUTOFREE char *name = xasprintf("%s:%zu", path, number);
	struct doc *doc = doc_parse(name, line, len, &doc_limits_dump, err);
	int rc = doc != NULL ? read_root(r, doc_root(doc), err) : -1;
	char *at = err->text + strlen(name);

	doc_free(doc);
	/* The document is named "file:line" and has one line: "file:line:1:column:"
	 * becomes "file:line:column:". */
	if (rc != 0 && strncmp(err->text, name, strlen(name)) == 0 &&
	    strncmp(at, ":1:", 3) == 0)
		memmove(at, at + 2, strlen(at + 2) + 1);
	return rc;
}

static int
read_lines(struct reader *r, FILE *in, const char *path, size_t *lines,
    bool *truncated, struct err *err)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int rc = 0;

	while (rc == 0 && (len = getline(&line, &cap, in)) > 0) {
		if (!r->has_header &&
		    strncmp(line, HEADER,
			(size_t)(len < HEADER_LEN ? len : HEADER_LEN)) != 0)
			rc = errf(err,
			    "%s:1:1: not a record of decisions, which begins "
			    "with its header; predicated --record writes them",
			    path);
		else if (line[len - 1] != '\n')
			*truncated = true;
		else
			rc = read_line(r, path, ++*lines, line, (size_t)len - 1,
			    err);
	}
	if (rc == 0 && ferror(in))
		rc = errf(err, "%s: %s", path, strerror(errno));
	if (rc == 0 && !r->has_header && !*truncated)
		rc = errf(err, "%s: it is empty", path);
	free(line);
	return rc;
}

int
record_read_file(const char *path, const struct record_ops *ops, void *arg,
    size_t *lines, bool *truncated, struct err *err)
{
	struct reader r = { .ops = ops, .arg = arg };
	FILE *in = fopen(path, "re");
	struct stat st;
	int rc;

	*lines = 0;
	*truncated = false;
	if (in == NULL)
		return errf(err, "%s: %s", path, strerror(errno));
	if (fstat(fileno(in), &st) == 0 &&
	    (uint64_t)st.st_size > doc_limits_dump.bytes) {
		fclose(in);
		return errf(err, "%s: larger than %zu MiB", path,
		    doc_limits_dump.bytes >> 20);
	}
	r.cluster = cluster_new();
	ops->begin(arg, r.cluster);
	rc = read_lines(&r, in, path, lines, truncated, err);
	fclose(in);
	ops->end(arg);
	cluster_free(r.cluster);
	for (size_t i = 0; i < r.objects.nslots; i++)
		known_free(r.objects.slots[i].value);
	strmap_fini(&r.objects);
	return rc;
}

/* ---- folders ---- */

static int
is_record(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name), end = strlen(RECORD_SUFFIX);

	return strncmp(entry->d_name, RECORD_PREFIX, strlen(RECORD_PREFIX)) ==
	    0 &&
	    len > end && strcmp(entry->d_name + len - end, RECORD_SUFFIX) == 0;
}

static int
by_number(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

char **
record_list_folder(const char *folder, size_t *n, struct err *err)
{
	struct dirent **entries;
	int found = scandir(folder, &entries, is_record, by_number);
	char **paths;

	if (found < 0) {
		errf(err, "%s: %s", folder, strerror(errno));
		return NULL;
	}
	*n = (size_t)found;
	paths = xcalloc(*n + 1, sizeof(*paths));
	for (size_t i = 0; i < *n; i++) {
		paths[i] = xasprintf("%s/%s", folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return paths;
}
