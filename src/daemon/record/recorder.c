#include "config.h"

#include "daemon/record/recorder.h"

#include "base/clock.h"
#include "base/json_out.h"
#include "base/log.h"
#include "base/map.h"
#include "base/text.h"
#include "cluster/devices/allocation.h"
#include "objects/pod.h"
#include "daemon/record/writer.h"

#define RETRY_MS 60000
#define END_MS 2000 /* for queued lines when the process ends */

/* An object as it is put again when a file is begun. */
struct entry {
	char *key;
	struct line *put;            /* NULL: not decoded in this process */
	const struct object *object; /* decoded with put; not of pods */
	bool is_put; /* the cluster has this version: later puts are derived */
	/* The changes derived from it, or the nomination; NULL: none. */
	struct line *derived;
	struct line *assumed; /* NULL: it is not */
};

struct recorder {
	struct recorder_options options;
	struct writer *writer;
	struct strmap entries; /* by key */
	size_t entry_bytes;    /* of put lines */
	struct line *policy, *node_selector;

	/* The object that was decoded last. */
	const struct object *decoded;
	struct line *decoded_line;

	bool open;                   /* lines go to a file */
	uint64_t begun_bytes, bytes; /* of the file: its first lines, all */
	int64_t retry_ms;
	uint64_t errors; /* that were logged */
	bool too_big;    /* the cluster is, for the size */
	uint64_t written, lost;
};

/* ---- lines ---- */

static struct line *
line_of(struct text *text)
{
	struct line *line = line_new(text->bytes, text->len);

	text_fini(text);
	return line;
}

static void
close_file(struct recorder *r)
{
	r->open = false;
	r->retry_ms = clock_ms() + RETRY_MS;
}

/* Takes the line. */
static void
add(struct recorder *r, struct line *line)
{
	size_t len = line->len;

	if (!r->open) {
		line_unref(line);
	} else if (writer_add(r->writer, line, false)) {
		r->bytes += len;
	} else {
		log_warning("record: the disk is too slow, decisions are not "
			    "recorded for a minute");
		close_file(r);
	}
}

static void
replace(struct line **at, struct line *line)
{
	line_unref(*at);
	*at = line;
}

/* ---- entries ---- */

static char *
key_of(const struct object *object)
{
	return record_key(object->kind, sym_text(object->namespace),
	    object->name, object->uid);
}

static struct entry *
find(const struct recorder *r, const struct object *object)
{
	AUTOFREE char *key = NULL;

	if (object->kind == OBJECT_POD)
		return strmap_get(&r->entries, object->uid);
	key = key_of(object);
	return strmap_get(&r->entries, key);
}

static struct entry *
find_or_add(struct recorder *r, const struct object *object)
{
	struct entry *entry = find(r, object);

	if (entry != NULL)
		return entry;
	entry = xcalloc(1, sizeof(*entry));
	entry->key = key_of(object);
	strmap_put(&r->entries, entry->key, entry);
	return entry;
}

static void
entry_free(struct recorder *r, struct entry *entry)
{
	r->entry_bytes -= entry->put != NULL ? entry->put->len : 0;
	line_unref(entry->put);
	line_unref(entry->derived);
	line_unref(entry->assumed);
	object_unref((struct object *)entry->object);
	free(entry->key);
	free(entry);
}

void
recorder_decoded(struct recorder *r, const struct object *object,
    const struct doc_node *root)
{
	struct text text = { 0 };

	json_put(&text, "{'put':%s,", object_kind_name(object->kind));
	if (object->partial != PARTIAL_NONE)
		json_put(&text, "'partial':%d,", (int64_t)object->partial);
	text_put(&text, "\"object\":");
	record_put_object(&text, object->kind, object->partial, root);
	text_put(&text, "}\n");
	r->decoded = object;
	replace(&r->decoded_line, line_of(&text));
}

/* Such as a Node whose kubelet is alive. */
void
recorder_object(struct recorder *r, const struct object *object)
{
	struct entry *entry;

	if (r->decoded != object)
		return;
	r->decoded = NULL;
	entry = find_or_add(r, object);
	if (entry->put == NULL || entry->put->len != r->decoded_line->len ||
	    memcmp(entry->put->bytes, r->decoded_line->bytes,
		entry->put->len) != 0)
		entry->is_put = false;
	r->entry_bytes += r->decoded_line->len;
	r->entry_bytes -= entry->put != NULL ? entry->put->len : 0;
	replace(&entry->put, r->decoded_line);
	r->decoded_line = NULL;
	if (object->kind == OBJECT_POD)
		return;
	object_unref((struct object *)entry->object);
	entry->object = object_ref((struct object *)object);
}

void
recorder_gone(struct recorder *r, const struct object *object)
{
	AUTOFREE char *key = key_of(object);
	struct entry *entry = strmap_del(&r->entries, key);

	if (entry != NULL)
		entry_free(r, entry);
}

/* ---- changes of the cluster ---- */

/* The line of a pod's change; node: SYM_NONE or its own member. */
static struct line *
pod_line(const char *type, const struct object *pod, const char *member,
    sym node)
{
	struct text text = { 0 };

	json_put(&text, "{%s:{'uid':%s", type, pod->uid);
	if (member != NULL)
		json_put(&text, ",%s:%s", member, sym_text(node));
	text_put(&text, "}}\n");
	return line_of(&text);
}

/* A volume or claim of any kind that differs from its document; NULL: in nothing that the
 * scheduler changes. */
static struct line *
derived_line(const struct cluster *cluster, const struct object *object,
    const struct entry *entry)
{
	const struct persistent_volume *volume = (const void *)object;
	const struct persistent_volume_claim *claim = (const void *)object;
	const struct resource_claim *device = (const void *)object;
	struct text text = { 0 };

	if (object->kind == OBJECT_PERSISTENT_VOLUME &&
	    object != entry->object) {
		json_put(&text,
		    "{'claimed':{'volume':%s,'namespace':%s,'claim':%s}}\n",
		    object->name, sym_text(volume->claim_namespace),
		    sym_text(volume->claim_name));
	} else if (object->kind == OBJECT_PERSISTENT_VOLUME_CLAIM &&
	    object != entry->object) {
		json_put(&text,
		    "{'selected':{'namespace':%s,'claim':%s,'node':%s}}\n",
		    sym_text(object->namespace), object->name,
		    sym_text(claim->selected_node));
	} else if (object->kind == OBJECT_RESOURCE_CLAIM &&
	    (device->pending || entry->put == NULL)) {
		json_put(&text,
		    "{'allocated':{'metadata':{'namespace':%s,'name':%s,"
		    "'uid':%s",
		    sym_text(object->namespace), object->name, object->uid);
		if (entry->put == NULL && device->controller != SYM_NONE)
			json_put(&text,
			    ",'annotations':{'resource.kubernetes.io/"
			    "extended-resource-claim':'true'},"
			    "'ownerReferences':[{'controller':true,'uid':%s}]",
			    sym_text(device->controller));
		text_put(&text, "}");
		/* then its pod fits nowhere while it has no devices */
		if (entry->put == NULL && device->wishes.nrequests > 0)
			text_printf(&text, ",\"spec\":{\"devices\":%s}",
			    sym_text(device->wishes.text));
		text_put(&text, ",\"status\":{");
		if (device->allocated) {
			text_put(&text, "\"allocation\":");
			allocation_put(&text, cluster, device, NULL);
		}
		text_put(&text, "}}}\n");
	} else {
		return NULL;
	}
	return line_of(&text);
}

/* The cluster takes the version of the document, whatever was derived from it. */
static void
notify_put(struct recorder *r, struct entry *entry)
{
	entry->is_put = true;
	replace(&entry->derived, NULL);
	add(r, line_ref(entry->put));
}

static void
on_put(struct recorder *r, const struct object *object)
{
	struct entry *entry = find(r, object);
	const struct pod *pod = (const struct pod *)object;
	struct line *derived;

	if (object->kind == OBJECT_RESOURCE_CLAIM && entry == NULL)
		entry = find_or_add(r, object); /* it was made here */
	if (entry == NULL)
		return;
	if (!entry->is_put && entry->put != NULL) {
		notify_put(r, entry);
		if (object->kind == OBJECT_POD && pod->node != SYM_EMPTY)
			replace(&entry->assumed, NULL);
		/* claims keep their devices until the watch shows them */
		if (object->kind != OBJECT_RESOURCE_CLAIM)
			return;
	}
	derived = object->kind == OBJECT_POD ?
	    pod_line("again", object, "nominated", pod->nominated) :
	    derived_line(r->options.cluster, object, entry);
	if (derived == NULL) {
		if (entry->derived != NULL)
			notify_put(r, entry);
		return;
	}
	replace(&entry->derived, derived);
	add(r, line_ref(derived));
}

static void
on_remove(struct recorder *r, const struct object *object)
{
	struct entry *entry = find(r, object);
	struct text text = { 0 };

	if (entry != NULL && entry->put == NULL) {
		recorder_gone(r, object);
	} else if (entry != NULL) {
		entry->is_put = false;
		replace(&entry->derived, NULL);
		replace(&entry->assumed, NULL);
	}
	json_put(&text,
	    "{'remove':{'kind':%s,'namespace':%s,'name':%s,"
	    "'uid':%s}}\n",
	    object_kind_name(object->kind), sym_text(object->namespace),
	    object->name, object->uid);
	add(r, line_of(&text));
}

void
recorder_changed(void *arg, enum cluster_change change,
    const struct object *object, sym node)
{
	struct recorder *r = arg;
	struct entry *entry;

	switch (change) {
	case CLUSTER_PUT:
		on_put(r, object);
		break;
	case CLUSTER_REMOVE:
		on_remove(r, object);
		break;
	case CLUSTER_ASSUME:
		entry = find(r, object);
		if (entry == NULL)
			break;
		replace(&entry->assumed,
		    pod_line("assume", object, "node", node));
		add(r, line_ref(entry->assumed));
		break;
	case CLUSTER_FORGET:
		entry = find(r, object);
		if (entry != NULL)
			replace(&entry->assumed, NULL);
		add(r, pod_line("forget", object, NULL, SYM_NONE));
		break;
	}
}

/* ---- the rest ---- */

static struct line *
schedulers_line(const struct recorder *r)
{
	const struct cluster *cluster = r->options.cluster;
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	json_open_member(&json, "schedulers", '[');
	for (size_t i = 0; i < cluster->nscheduler_names; i++)
		json_string(&json, sym_text(cluster->scheduler_names[i]));
	text_put(&text, "]}\n");
	return line_of(&text);
}

void
recorder_policy(struct recorder *r, const struct record_policy *policy)
{
	struct text text = { 0 };

	record_put_policy(&text, policy);
	replace(&r->policy, line_of(&text));
	add(r, line_ref(r->policy));
}

void
recorder_schedulers(struct recorder *r)
{
	add(r, schedulers_line(r));
}

void
recorder_node_selector(struct recorder *r, const struct labels *labels)
{
	struct text text = { 0 };
	struct json_out json = JSON_OUT_INIT(&text);

	json_open(&json, '{');
	if (labels != NULL)
		json_open_member(&json, "nodeSelector", '{');
	else
		json_pair(&json, "nodeSelector", NULL);
	for (uint32_t i = 0; labels != NULL && i < labels->n; i++)
		json_pair(&json, sym_text(labels->at[i].key),
		    sym_text(labels->at[i].value));
	text_put(&text, labels != NULL ? "}}\n" : "}\n");
	replace(&r->node_selector, line_of(&text));
	add(r, line_ref(r->node_selector));
}

/* ---- files ---- */

static void
add_first(struct recorder *r, struct line *line)
{
	if (line == NULL)
		return;
	r->bytes += line->len;
	writer_add(r->writer, line_ref(line), true);
}

static void
begin_file(struct recorder *r)
{
	const struct recorder_options *o = &r->options;
	struct line *header, *schedulers;
	struct text text = { 0 };

	if (r->entry_bytes > r->options.size / 4) {
		if (!r->too_big)
			log_error("record: %zu MiB of objects are more than a "
				  "quarter of --record-size: decisions are not "
				  "recorded",
			    r->entry_bytes >> 20);
		r->too_big = true;
		close_file(r);
		return;
	}
	r->too_big = false;
	record_put_header(&text,
	    &(struct record_header){ .version = RECORD_VERSION,
		.kubernetes_minor = o->cluster->kubernetes_minor,
		.pod_limits = o->pod_limits,
		.pod_level = o->gates.pod_level_resources,
		.in_place = o->gates.pod_level_resources_in_place });
	header = line_of(&text);
	schedulers = schedulers_line(r);
	r->bytes = 0;
	r->open = true;
	writer_add(r->writer, NULL, true);
	add_first(r, header);
	add_first(r, r->policy);
	add_first(r, r->node_selector);
	add_first(r, schedulers);
	/* first the lines of entries that others are derived from */
	EACH_VALUE (&r->entries, const struct entry, entry)
		if (entry->is_put)
			add_first(r, entry->put);
	EACH_VALUE (&r->entries, const struct entry, entry) {
		add_first(r, entry->derived);
		add_first(r, entry->assumed);
	}
	r->begun_bytes = r->bytes;
	line_unref(header);
	line_unref(schedulers);
}

void
recorder_begin(struct recorder *r)
{
	if (!r->open && r->policy != NULL && clock_ms() >= r->retry_ms)
		begin_file(r);
}

void
recorder_decision(struct recorder *r, const struct record_decision *decision)
{
	struct text text = { 0 };

	if (!r->open) {
		r->lost++;
		return;
	}
	record_put_decision(&text, decision);
	add(r, line_of(&text));
	if (r->open)
		r->written++;
	else
		r->lost++;
}

void
recorder_tick(struct recorder *r)
{
	struct writer_state state;

	writer_look(r->writer, &state);
	if (state.errors != r->errors) {
		r->errors = state.errors;
		log_error("record: %s: decisions are not recorded for a minute",
		    state.error[0] != '\0' ? state.error : "cannot write");
		close_file(r);
	}
	if (r->open && r->bytes > r->options.size / 4 &&
	    r->bytes > 2 * r->begun_bytes)
		begin_file(r);
	writer_flush(r->writer);
}

void
recorder_count(const struct recorder *r, struct recorder_counts *counts)
{
	struct writer_state state;

	writer_look(r->writer, &state);
	*counts = (struct recorder_counts){ .written = r->written,
		.lost = r->lost,
		.bytes = state.bytes,
		.errors = state.errors };
}

struct recorder *
recorder_new(const struct recorder_options *options, struct err *err)
{
	struct recorder *r;
	struct writer *writer;

	if (writer_check_folder(options->folder, err) != 0)
		return NULL;
	writer = writer_new(options->folder, options->size, err);
	if (writer == NULL)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->options = *options;
	r->writer = writer;
	return r;
}

void
recorder_free(struct recorder *r)
{
	if (r == NULL)
		return;
	writer_free(r->writer, END_MS);
	EACH_VALUE (&r->entries, struct entry, entry)
		entry_free(r, entry);
	strmap_fini(&r->entries);
	line_unref(r->decoded_line);
	line_unref(r->policy);
	line_unref(r->node_selector);
	free(r);
}
