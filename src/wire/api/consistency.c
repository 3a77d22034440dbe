#include "config.h"

#include "wire/api/consistency.h"

#include "wire/api/known.h"
#include "wire/api/list_page.h"
#include "wire/api/listing.h"
#include "base/doc.h"
#include "objects/fields.h"

struct consistency_check {
	const char *versions[2];
	char *at;
	size_t known;
	uint64_t known_digest;
	struct listing *listing;
	size_t n; /* listed so far */
	uint64_t digest;
	void (*done)(void *arg, enum consistency result, const char *why);
	void *arg;
};

static void
on_each(void *arg, const struct arrival *arrival, const char *version)
{
	struct consistency_check *check = arg;
	const struct doc_node *meta = doc_get(arrival->root, "metadata");
	const char *namespace = "", *name = "", *at = "";

	doc_get_string(meta, "namespace", "", &namespace, NULL);
	doc_get_string(meta, "name", "", &name, NULL);
	doc_get_string(meta, "resourceVersion", "", &at, NULL);
	check->n++;
	check->digest += object_digest(sym_find(namespace), name, at);
}

static void
on_end(void *arg, const struct listing_end *end)
{
	const struct consistency_check *check = arg;
	struct err why;

	if (end->version == NULL) {
		check->done(check->arg, CONSISTENCY_UNKNOWN,
		    end->error != NULL ? end->error : "it is not served");
	} else if (check->n == check->known &&
	    check->digest == check->known_digest) {
		check->done(check->arg, CONSISTENT, NULL);
	} else {
		errf(&why,
		    "the API server had %zu objects at resourceVersion %s and "
		    "the cache %zu%s",
		    check->n, check->at, check->known,
		    check->n == check->known ? ", others" : "");
		check->done(check->arg, NOT_CONSISTENT, why.text);
	}
}

struct consistency_check *
consistency_check_new(struct api_client *client,
    const struct consistency_spec *spec,
    void (*done)(void *arg, enum consistency result, const char *why),
    void *arg)
{
	static const struct listing_ops ops = { on_each, on_end };
	struct consistency_check *check = xcalloc(1, sizeof(*check));

	check->versions[0] = spec->version;
	check->at = xstrdup(spec->at);
	check->known = spec->n;
	check->known_digest = spec->digest;
	check->done = done;
	check->arg = arg;
	check->listing = listing_new(client,
	    &(struct listing_spec){ .resource = spec->resource,
		.versions = check->versions,
		.namespace = spec->namespace,
		.field_selector = spec->field_selector,
		.at = check->at,
		.fields = object_partial_fields(OBJECT_POD, PARTIAL_NAMED) },
	    &ops, check);
	return check;
}

void
consistency_check_free(struct consistency_check *check)
{
	if (check == NULL)
		return;
	listing_free(check->listing);
	free(check->at);
	free(check);
}
