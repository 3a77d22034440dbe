#include "config.h"

#include "wire/api/discovery.h"

#include "wire/api/paths.h"
#include "base/doc.h"
#include "objects/release.h"

struct discovery {
	struct api_client *client;
	const char *resource;
	const char *const *versions;
	void (*done)(void *arg, const char *version,
	    const struct api_response *response);
	void *arg;
	struct api_call *call;
};

static bool
lists(const char *body, size_t len, const char *resource)
{
	struct doc *doc =
	    doc_parse("resources", body, len, &doc_limits_people, NULL);
	const struct doc_node *list = NULL;
	const char *name;
	bool found = false;

	if (doc == NULL)
		return false;
	doc_get_array(doc_root(doc), "resources", "resources", &list, NULL);
	EACH_CHILD (item, list) {
		name = "";
		found |=
		    doc_get_string(item, "name", "name", &name, NULL) == 0 &&
		    strcmp(name, resource) == 0;
	}
	doc_free(doc);
	return found;
}

static void request_version(struct discovery *discovery);

static void
finish(struct discovery *discovery, const char *version,
    const struct api_response *response)
{
	discovery->done(discovery->arg, version, response);
	free(discovery);
}

static void
on_answer(void *arg, const struct api_response *response)
{
	struct discovery *discovery = arg;

	discovery->call = NULL;
	if (response->status != 200 && response->status != 404) {
		finish(discovery, NULL, response);
		return;
	}
	if (response->status == 200 &&
	    lists(response->body, response->len, discovery->resource)) {
		finish(discovery, *discovery->versions, NULL);
		return;
	}
	discovery->versions++;
	if (*discovery->versions == NULL)
		finish(discovery, NULL, NULL);
	else
		request_version(discovery);
}

static void
request_version(struct discovery *discovery)
{
	char AUTOFREE *path = path_of_version(*discovery->versions);

	discovery->call = api_send(discovery->client,
	    &(struct api_request){ .lane = API_WATCHES,
		.path = path,
		.on_done = on_answer,
		.arg = discovery });
}

struct discovery *
discovery_start(struct api_client *client, const char *resource,
    const char *const *versions,
    void (*done)(void *arg, const char *version,
	const struct api_response *response),
    void *arg)
{
	struct discovery *discovery = xcalloc(1, sizeof(*discovery));

	discovery->client = client;
	discovery->resource = resource;
	discovery->versions = versions;
	discovery->done = done;
	discovery->arg = arg;
	request_version(discovery);
	return discovery;
}

void
discovery_cancel(struct discovery *discovery)
{
	if (discovery == NULL)
		return;
	api_cancel(discovery->call);
	free(discovery);
}

int
version_minor(const struct api_response *response)
{
	struct doc *doc = doc_parse("version", response->body, response->len,
	    &doc_limits_people, NULL);
	const char *minor = "", *git = "";
	AUTOFREE char *version = NULL;
	int n;

	if (doc == NULL)
		return -1;
	doc_get_string(doc_root(doc), "minor", "minor", &minor, NULL);
	doc_get_string(doc_root(doc), "gitVersion", "gitVersion", &git, NULL);
	version = xasprintf("1.%s", minor);
	n = release_parse(version);
	if (n < 0)
		n = release_parse(git);
	doc_free(doc);
	return n;
}
