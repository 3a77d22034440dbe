/*
 * extenders: HTTP services that filter, score, preempt or bind as well.
 * kube-scheduler 1.15: pkg/scheduler/api/validation and core.NewHTTPExtender();
 * the TLS part is client-go's rest.TLSConfigFor().
 */
#include "config.h"

#include <strings.h>

#include "base/file.h"
#include "objects/validation.h"
#include "policy/policy_internal.h"

#define DEFAULT_TIMEOUT_NS INT64_C(5000000000)
/* Certificates and keys are text of some kilobytes. */
#define TLS_FILE_MAX ((size_t)1 << 20)

static void
validate_resource_name(struct reading *reading,
    const struct resource_entry *resource)
{
	const char *name = resource->name != NULL ? resource->name : "";
	const char *messages[VALIDATION_MAX];
	size_t n = validate_qualified_name(name, strlen(name), messages);
	const struct doc_node *at = item_member(&resource->item, "name");

	for (size_t i = 0; i < n; i++)
		reading_report(reading, SEVERITY_ERROR, at,
		    "managed resource \"%s\": %s", name, messages[i]);
	if (n == 0 && !resource_is_extended(name))
		reading_report(reading, SEVERITY_ERROR, at,
		    "managed resource \"%s\" is not an extended resource "
		    "such as \"example.com/device\"",
		    name);
}

/* Whether an extender before this place manages the resource, too. */
static bool
is_managed_before(const struct list *extenders,
    const struct resource_entry *place)
{
	const struct extender_entry *extender = extenders->items;

	for (size_t i = 0; i < extenders->n; i++, extender++) {
		const struct resource_entry *resource = extender->managed.items;

		for (size_t j = 0; j < extender->managed.n; j++, resource++) {
			if (resource == place)
				return false;
			if (strcmp(resource->name ? resource->name : "",
				place->name ? place->name : "") == 0)
				return true;
		}
	}
	return false;
}

static void
validate_managed(struct reading *reading, const struct list *extenders,
    const struct extender_entry *extender)
{
	const struct resource_entry *resource = extender->managed.items;

	for (size_t i = 0; i < extender->managed.n; i++, resource++) {
		validate_resource_name(reading, resource);
		if (is_managed_before(extenders, resource))
			reading_report(reading, SEVERITY_ERROR,
			    item_member(&resource->item, "name"),
			    "resource \"%s\" is managed by an extender already",
			    or_empty(resource->name));
	}
}

void
validate_extenders(struct reading *reading, const struct list *extenders)
{
	const struct extender_entry *extender = extenders->items;
	bool binds = false;

	for (size_t i = 0; i < extenders->n; i++, extender++) {
		if (extender->item.broken)
			continue;
		if (*or_empty(extender->prioritize_verb) != '\0' &&
		    extender->weight <= 0)
			reading_report(reading, SEVERITY_ERROR,
			    item_member(&extender->item, "weight"),
			    "extender \"%s\": prioritizeVerb needs a weight of "
			    "1 or more",
			    or_empty(extender->url_prefix));
		if (*or_empty(extender->bind_verb) != '\0') {
			if (binds)
				reading_report(reading, SEVERITY_ERROR,
				    item_member(&extender->item, "bindVerb"),
				    "only one extender can bind");
			binds = true;
		}
		validate_managed(reading, extenders, extender);
	}
}

/* TLS. */

/* The inline data, or the content of the file.  1: this machine need not have the
 * file, and has not; err says why. */
static int
load_tls_part(const struct reading *reading, struct arena *arena,
    const struct bytes_value *given, const char *path, const char **data,
    size_t *len, struct err *err)
{
	AUTOFREE char *text = NULL;

	if (given->len == 0 && path != NULL && *path != '\0') {
		text = file_load(path, TLS_FILE_MAX, len, NULL, err);
		if (text == NULL)
			return reading->options->without_extenders ? 1 : -1;
		*data = arena_strndup(arena, text, *len);
		return 0;
	}
	*data = given->len > 0 ? arena_strndup(arena, given->data, given->len) :
				 NULL;
	*len = given->len;
	return 0;
}

static const char *
copy_text(struct arena *arena, const char *text)
{
	return arena_strdup(arena, or_empty(text));
}

static bool
given(const struct bytes_value *data, const char *path)
{
	return data->len > 0 || *or_empty(path) != '\0';
}

/* A server that takes the extender's place decides where pods go. */
static void
warn_about_tls(struct reading *reading, const struct extender_entry *entry,
    const struct extender *extender)
{
	bool https = strncasecmp(extender->url_prefix, "https://", 8) == 0;

	if (!https || !extender->tls.insecure)
		return;
	reading_report(reading, SEVERITY_WARNING,
	    item_member(&entry->item,
		entry->tls != NULL ? "tlsConfig" : "enableHttps"),
	    "extender \"%s\": its certificate is not verified%s, so any "
	    "server that takes its place decides where pods go",
	    extender->url_prefix,
	    entry->tls != NULL && entry->tls->insecure ?
		"" :
		" without a caFile or caData");
}

/* Results as those of load_tls_part(). */
static int
build_tls(const struct reading *reading, struct arena *arena,
    const struct extender_entry *entry, struct extender *extender,
    struct err *err)
{
	static const char begin[] = "-----BEGIN";
	static const struct tls_entry none;
	const struct tls_entry *tls = entry->tls != NULL ? entry->tls : &none;
	bool has_ca = given(&tls->ca_data, tls->ca_file);
	bool has_cert = given(&tls->cert_data, tls->cert_file) &&
	    given(&tls->key_data, tls->key_file);
	int rc;

	extender->has_tls = entry->tls != NULL;
	/* https without a CA to check against checks nothing. */
	extender->tls.insecure =
	    tls->insecure || (entry->enable_https && !has_ca);
	extender->tls.server_name = copy_text(arena, tls->server_name);
	extender->tls.cert_file = copy_text(arena, tls->cert_file);
	extender->tls.key_file = copy_text(arena, tls->key_file);
	extender->tls.ca_file = copy_text(arena, tls->ca_file);
	if (!has_ca && !has_cert && !extender->tls.insecure &&
	    *extender->tls.server_name == '\0')
		return 0;
	if (has_ca && extender->tls.insecure)
		return errf(err,
		    "specifying a root certificates file with the "
		    "insecure flag is not allowed");
	rc = load_tls_part(reading, arena, &tls->ca_data, tls->ca_file,
	    &extender->tls.ca_data, &extender->tls.ca_len, err);
	if (rc == 0)
		rc = load_tls_part(reading, arena, &tls->cert_data,
		    tls->cert_file, &extender->tls.cert_data,
		    &extender->tls.cert_len, err);
	if (rc == 0)
		rc =
		    load_tls_part(reading, arena, &tls->key_data, tls->key_file,
			&extender->tls.key_data, &extender->tls.key_len, err);
	if (rc != 0 || !has_cert)
		return rc;
	/* Certificate and key must be PEM; whether they fit each other only shows
	 * when they are used. */
	if (extender->tls.cert_data == NULL ||
	    strstr(extender->tls.cert_data, begin) == NULL)
		return errf(err,
		    "tls: failed to find any PEM data in certificate input");
	if (extender->tls.key_data == NULL ||
	    strstr(extender->tls.key_data, begin) == NULL)
		return errf(err,
		    "tls: failed to find any PEM data in key input");
	return 0;
}

/* Building. */

static void
ignore_resource(struct profile *profile, sym name)
{
	const sym *old = profile->ignored_resources;
	size_t n = profile->nignored_resources;
	sym *grown;

	for (size_t i = 0; i < n; i++)
		if (old[i] == name)
			return;
	grown = arena_array(&profile->arena, sym, n + 1);
	if (n > 0)
		memcpy(grown, old, n * sizeof(*old));
	grown[n] = name;
	profile->ignored_resources = grown;
	profile->nignored_resources = n + 1;
}

static void
build_managed(struct profile *profile, const struct extender_entry *entry,
    struct extender *extender)
{
	const struct resource_entry *resource = entry->managed.items;
	struct managed_resource *managed = arena_array(&profile->arena,
	    struct managed_resource, entry->managed.n);

	for (size_t i = 0; i < entry->managed.n; i++, resource++) {
		managed[i] = (struct managed_resource){
			.name = sym_intern(or_empty(resource->name)),
			.ignored_by_scheduler = resource->ignored_by_scheduler,
		};
		if (resource->ignored_by_scheduler)
			ignore_resource(profile, managed[i].name);
	}
	extender->managed = managed;
	extender->nmanaged = entry->managed.n;
}

static void
build_extender(struct reading *reading, struct profile *profile,
    const struct extender_entry *entry, struct extender *extender)
{
	struct arena *arena = &profile->arena;
	const char *url = or_empty(entry->url_prefix);
	size_t len = strlen(url);
	struct err err;

	while (len > 0 && url[len - 1] == '/')
		len--;
	*extender = (struct extender){
		.url_prefix = arena_strndup(arena, url, len),
		.filter_verb = copy_text(arena, entry->filter_verb),
		.preempt_verb = copy_text(arena, entry->preempt_verb),
		.prioritize_verb = copy_text(arena, entry->prioritize_verb),
		.bind_verb = copy_text(arena, entry->bind_verb),
		.weight = entry->weight,
		.timeout_ns = entry->http_timeout != 0 ? entry->http_timeout :
							 DEFAULT_TIMEOUT_NS,
		.enable_https = entry->enable_https,
		.node_cache_capable = entry->node_cache_capable,
		.ignorable = entry->ignorable,
	};
	reading_position(reading, entry->item.at, &extender->line,
	    &extender->column);
	build_managed(profile, entry, extender);
	if (entry->item.broken)
		return;
	switch (build_tls(reading, arena, entry, extender, &err)) {
	case 0:
		warn_about_tls(reading, entry, extender);
		return;
	case 1:
		reading_report(reading, SEVERITY_WARNING,
		    item_member(&entry->item, "tlsConfig"),
		    "extender \"%s\": %s; the scheduler needs the file", url,
		    err.text);
		return;
	}
	reading_report(reading, SEVERITY_ERROR,
	    item_member(&entry->item, "tlsConfig"), "extender \"%s\": %s", url,
	    err.text);
}

void
build_extenders(struct reading *reading, const struct list *extenders,
    struct profile *profile)
{
	const struct extender_entry *entries = extenders->items;
	size_t n = extenders->n, at = 0;

	profile->extenders = arena_array(&profile->arena, struct extender, n);
	profile->nextenders = n;
	/* The place first: problems come in the order of the text. */
	for (size_t i = 0; i < n; i++)
		at += !entries[i].ignorable;
	for (size_t i = 0, firm = 0; i < n; i++)
		build_extender(reading, profile, &entries[i],
		    &profile->extenders[entries[i].ignorable ? at++ : firm++]);
}
