#include "config.h"

#include "daemon/extender/documents.h"

#include "wire/api/client.h"
#include "wire/api/paths.h"
#include "base/json_out.h"
#include "base/doc.h"
#include "base/log.h"
#include "base/map.h"
#include "objects/object.h"

#define FETCH_RETRY_MS 5000

struct document {
	char *path;
	char *uid;
	char *json;
	enum object_kind kind;
};

struct documents {
	struct api_client *client;
	bool nodes, pods;  /* are kept */
	struct strmap all; /* by path */
};

/* One object that is being fetched. */
struct fetching {
	struct documents_fetch *fetch;
	enum object_kind kind;
	char *path;
	struct api_call *call; /* NULL: answered */
};

struct documents_fetch {
	struct documents *documents;
	size_t n, nleft;
	struct fetching *all;
	void (*done)(void *arg);
	void *arg;
};

struct documents *
documents_new(struct api_client *client)
{
	struct documents *documents = xcalloc(1, sizeof(*documents));

	documents->client = client;
	return documents;
}

static void
document_free(struct document *document)
{
	free(document->path);
	free(document->uid);
	free(document->json);
	free(document);
}

void
documents_free(struct documents *documents)
{
	if (documents == NULL)
		return;
	documents_keep(documents, false, false);
	strmap_fini(&documents->all);
	free(documents);
}

static char *
path_of(const struct object *object)
{
	bool is_node = object->kind == OBJECT_NODE;

	return path_of_object("v1",
	    is_node ? NULL : sym_text(object->namespace),
	    is_node ? "nodes" : "pods", object->name, "");
}

bool
documents_want(const struct documents *documents, enum object_kind kind)
{
	return (kind == OBJECT_NODE && documents->nodes) ||
	    (kind == OBJECT_POD && documents->pods);
}

void
documents_keep(struct documents *documents, bool nodes, bool pods)
{
	struct strmap kept = { 0 };

	documents->nodes = nodes;
	documents->pods = pods;
	EACH_VALUE (&documents->all, struct document, document)
		if (documents_want(documents, document->kind))
			strmap_put(&kept, document->path, document);
		else
			document_free(document);
	strmap_fini(&documents->all);
	documents->all = kept;
}

/* ---- the JSON of an object ---- */

static void
put_member(struct text *out, const struct doc_node *member)
{
	if (out->bytes[out->len - 1] != '{')
		text_put(out, ",");
	json_put_key(out, member->key);
	text_put(out, ":");
}

/* Newer kube-schedulers do not keep managedFields either; they are half of
 * many an object. */
static void
put_metadata(struct text *out, const struct doc_node *metadata)
{
	text_put(out, "{");
	EACH_CHILD (m, metadata)
		if (strcmp(m->key, "managedFields") != 0) {
			put_member(out, m);
			json_put_node(out, m);
		}
	text_put(out, "}");
}

static char *
json_of(const struct doc_node *root)
{
	struct text out = { 0 };

	text_put(&out, "{");
	EACH_CHILD (m, root) {
		if (strcmp(m->key, "kind") == 0 ||
		    strcmp(m->key, "apiVersion") == 0)
			continue;
		put_member(&out, m);
		if (strcmp(m->key, "metadata") == 0 && m->kind == DOC_OBJECT)
			put_metadata(&out, m);
		else
			json_put_node(&out, m);
	}
	text_put(&out, "}");
	return text_take(&out);
}

/* Takes path. */
static void
put(struct documents *documents, enum object_kind kind, char *path,
    const char *uid, const struct doc_node *root)
{
	struct document *document = xcalloc(1, sizeof(*document)), *before;

	*document = (struct document){ .path = path,
		.uid = xstrdup(uid),
		.json = json_of(root),
		.kind = kind };
	before = strmap_del(&documents->all, path);
	if (before != NULL)
		document_free(before);
	strmap_put(&documents->all, path, document);
}

void
documents_put(struct documents *documents, const struct object *object,
    const struct doc_node *root)
{
	if (!documents_want(documents, object->kind))
		return;
	if (root != NULL && root->kind == DOC_OBJECT)
		put(documents, object->kind, path_of(object), object->uid,
		    root);
	else
		documents_remove(documents, object);
}

static struct document *
find(const struct documents *documents, const struct object *object)
{
	AUTOFREE char *path = NULL;
	struct document *document;

	if (documents->all.n == 0)
		return NULL;
	path = path_of(object);
	document = strmap_get(&documents->all, path);
	/* a pod of the same name is another one */
	if (document != NULL && object->kind == OBJECT_POD &&
	    strcmp(document->uid, object->uid) != 0)
		return NULL;
	return document;
}

void
documents_remove(struct documents *documents, const struct object *object)
{
	struct document *document = find(documents, object);

	if (document == NULL)
		return;
	strmap_del(&documents->all, document->path);
	document_free(document);
}

const char *
documents_get(const struct documents *documents, const struct object *object)
{
	const struct document *document = find(documents, object);

	return document != NULL ? document->json : NULL;
}

/* ---- fetching ---- */

void
documents_cancel(struct documents_fetch *fetch)
{
	if (fetch == NULL)
		return;
	for (size_t i = 0; i < fetch->n; i++) {
		api_cancel(fetch->all[i].call);
		free(fetch->all[i].path);
	}
	free(fetch->all);
	free(fetch);
}

/* Nodes are requested as lists of one: our rights are to list. */
static char *
request_of(const struct object *object)
{
	struct text path = { 0 };

	if (object->kind != OBJECT_NODE)
		return path_of(object);
	text_put(&path, "/api/v1/nodes?fieldSelector=metadata.name%3D");
	url_put(&path, object->name);
	return text_take(&path);
}

static const struct doc_node *
object_in(const struct doc *doc, enum object_kind kind)
{
	const struct doc_node *object = doc_root(doc);

	if (kind == OBJECT_NODE) {
		object = doc_get(object, "items");
		object = object != NULL ? object->first : NULL;
	}
	return object != NULL && object->kind == DOC_OBJECT ? object : NULL;
}

static void
keep(struct fetching *f, const struct api_response *response)
{
	struct documents *documents = f->fetch->documents;
	const struct document *before = strmap_get(&documents->all, f->path);
	const struct doc_node *object;
	const char *uid = "";
	struct doc *doc;
	struct err err;

	doc = doc_parse(f->path, response->body, response->len,
	    &doc_limits_people, &err);
	if (doc == NULL) {
		log_warning("%s", err.text);
		return;
	}
	object = object_in(doc, f->kind);
	doc_get_string(doc_get(object, "metadata"), "uid", "metadata.uid", &uid,
	    NULL);
	/* It may have come by the watch meanwhile, which is newer. */
	if (object != NULL &&
	    (before == NULL || strcmp(before->uid, uid) != 0)) {
		put(documents, f->kind, f->path, uid, object);
		f->path = NULL;
	}
	doc_free(doc);
}

static void
on_fetched(void *arg, const struct api_response *response)
{
	struct fetching *f = arg;
	struct documents_fetch *fetch = f->fetch;
	void (*done)(void *) = fetch->done;
	void *done_arg = fetch->arg;
	struct err err;

	f->call = NULL;
	if (response->status == 200) {
		keep(f, response);
	} else if (response->status != 404) {
		api_explain(response, &err);
		log_warning("%s: %s", f->path, err.text);
	}
	if (--fetch->nleft > 0)
		return;
	documents_cancel(fetch);
	done(done_arg);
}

struct documents_fetch *
documents_fetch(struct documents *documents,
    const struct object *const *objects, size_t n, void (*done)(void *arg),
    void *arg)
{
	struct documents_fetch *fetch = NULL;

	for (size_t i = 0; i < n; i++) {
		AUTOFREE char *path = NULL;
		struct fetching *f;

		if (find(documents, objects[i]) != NULL)
			continue;
		if (fetch == NULL) {
			fetch = xcalloc(1, sizeof(*fetch));
			fetch->all = xcalloc(n, sizeof(*fetch->all));
			fetch->documents = documents;
			fetch->done = done;
			fetch->arg = arg;
		}
		f = &fetch->all[fetch->n++];
		f->fetch = fetch;
		f->kind = objects[i]->kind;
		f->path = path_of(objects[i]);
		path = request_of(objects[i]);
		f->call = api_send(documents->client,
		    &(struct api_request){ .lane = API_REST,
			.path = path,
			.retry_ms = FETCH_RETRY_MS,
			.on_done = on_fetched,
			.arg = f });
	}
	if (fetch != NULL)
		fetch->nleft = fetch->n;
	return fetch;
}
