#include "config.h"

#include "wire/api/listing.h"

#include <stdio.h>

#include "wire/api/client.h"
#include "wire/api/discovery.h"
#include "wire/api/list_page.h"
#include "wire/api/paths.h"
#include "wire/api/protobuf_tree.h"
#include "base/doc.h"
#include "base/json_out.h"

#define PAGE 500 /* kubectl's --chunk-size */
#define PAGE_MIN 8
#define TIMEOUT_MS 60000
/* Requests are repeated for so long: when the server is busy or restarts. */
#define RETRY_MS 30000

struct listing {
	struct api_client *client;
	struct listing_spec spec;
	struct listing_ops ops;
	void *arg;
	struct discovery *discovery;
	struct api_call *call;
	const char *version;
	char *next; /* metadata.continue of the next page, or NULL */
	unsigned page_size;
};

static void request_page(struct listing *listing);

static void
finish(struct listing *listing, int status, const char *error)
{
	const struct listing_end end = {
		.version = error == NULL ? listing->version : NULL,
		.error = error,
		.status = status,
	};

	listing->ops.done(listing->arg, &end);
}

static void
fail(struct listing *listing, const struct api_response *response)
{
	struct err err;

	api_explain(response, &err);
	finish(listing, response->status, err.text);
}

static void
each(void *arg, const struct arrival *arrival)
{
	struct listing *listing = arg;

	listing->ops.each(listing->arg, arrival, listing->version);
}

static void
go_on(struct listing *listing, const char *next)
{
	if (listing->next != NULL && strcmp(listing->next, next) == 0) {
		finish(listing, 0, "the server repeats a page of the list");
		return;
	}
	xreplace(&listing->next, next);
	request_page(listing);
}

static void
take_page(struct listing *listing, const struct api_response *response)
{
	struct list_meta meta;
	struct err err;

	if (list_page_read(response, listing->spec.resource,
		listing->spec.fields, &meta, each, listing, &err) != 0) {
		list_meta_fini(&meta);
		finish(listing, 0, err.text);
		return;
	}
	if (listing->spec.at != NULL &&
	    strcmp(meta.resource_version, listing->spec.at) != 0)
		finish(listing, 0, "the server has listed another version");
	else if (meta.next[0] != '\0')
		go_on(listing, meta.next);
	else
		finish(listing, response->status, NULL);
	list_meta_fini(&meta);
}

/*
 * "the continue token in this response", with which the server lists the rest
 * as it is now; you own it, NULL: it has none.
 */
static char *
rest_of(const struct api_response *response)
{
	const char *text = "";
	struct doc *doc = api_response_doc(response);
	char *rest = NULL;

	if (doc == NULL)
		return NULL;
	doc_get_string(doc_get(doc_root(doc), "metadata"), "continue",
	    "metadata.continue", &text, NULL);
	if (text[0] != '\0')
		rest = xstrdup(text);
	doc_free(doc);
	return rest;
}

static void
on_page(void *arg, const struct api_response *response)
{
	struct listing *listing = arg;
	char AUTOFREE *rest = NULL;

	listing->call = NULL;
	if (response->status == 200) {
		take_page(listing, response);
		return;
	}
	if (response->status == 404 && listing->next == NULL) {
		listing->version = NULL;
		finish(listing, 404, NULL);
		return;
	}
	if ((response->too_long ||
		(response->timed_out && listing->spec.timeout_ms == 0)) &&
	    listing->page_size > PAGE_MIN) {
		listing->page_size = listing->page_size / 8 > PAGE_MIN ?
		    listing->page_size / 8 :
		    PAGE_MIN;
		request_page(listing);
		return;
	}
	if (response->status == 410 && listing->next != NULL &&
	    listing->spec.at == NULL)
		rest = rest_of(response);
	if (rest != NULL)
		go_on(listing, rest);
	else
		fail(listing, response);
}

static void
request_page(struct listing *listing)
{
	const struct listing_spec *spec = &listing->spec;
	char AUTOFREE *collection = path_of_collection(listing->version,
	    spec->namespace, listing->spec.resource);
	int64_t timeout = spec->timeout_ms;
	struct text path = { 0 };
	char limit[16];

	snprintf(limit, sizeof(limit), "%u", listing->page_size);
	text_put(&path, collection);
	path_put_parameter(&path, "fieldSelector", spec->field_selector);
	path_put_parameter(&path, "limit", limit);
	path_put_parameter(&path, "continue", listing->next);
	if (spec->at != NULL && listing->next == NULL) {
		path_put_parameter(&path, "resourceVersion", spec->at);
		/* Before 1.19 a limit says so. */
		path_put_parameter(&path, "resourceVersionMatch", "Exact");
	}
	listing->call = api_send(listing->client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = path.bytes,
		.protobuf =
		    protobuf_has(listing->version, listing->spec.resource),
		.timeout_ms = timeout > 0 ? timeout : TIMEOUT_MS,
		.retry_ms =
		    timeout > 0 && timeout < RETRY_MS ? timeout : RETRY_MS,
		.on_done = on_page,
		.arg = listing });
	text_fini(&path);
}

static void
on_discovered(void *arg, const char *version,
    const struct api_response *response)
{
	struct listing *listing = arg;

	listing->discovery = NULL;
	listing->version = version;
	if (response != NULL)
		fail(listing, response);
	else if (version == NULL)
		finish(listing, 404, NULL);
	else
		request_page(listing);
}

struct listing *
listing_new(struct api_client *client, const struct listing_spec *spec,
    const struct listing_ops *ops, void *arg)
{
	struct listing *listing = xcalloc(1, sizeof(*listing));

	listing->client = client;
	listing->spec = *spec;
	listing->ops = *ops;
	listing->arg = arg;
	listing->page_size = PAGE;
	/* The core group has always been there, and who knows a version has found
	 * it served. */
	if (strcmp(spec->versions[0], "v1") == 0 || spec->at != NULL)
		on_discovered(listing, spec->versions[0], NULL);
	else
		listing->discovery =
		    discovery_start(client, listing->spec.resource,
			spec->versions, on_discovered, listing);
	return listing;
}

void
listing_free(struct listing *listing)
{
	if (listing == NULL)
		return;
	api_cancel(listing->call);
	discovery_cancel(listing->discovery);
	free(listing->next);
	free(listing);
}
