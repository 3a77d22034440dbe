#include "config.h"

#include "policy/convert/convert.h"

#include <inttypes.h>

#include "base/base64.h"
#include "base/duration.h"
#include "base/json_out.h"
#include "base/text.h"
#include "policy/convert/convert_internal.h"
#include "policy/policy_internal.h"

static struct counterpart
counterpart_of(struct counterpart c, const struct policy_names *policy,
    enum plugin_number plugin)
{
	if (c.plugin == NULL && policy->in != IN_ALL_POLICIES)
		c.plugin = plugin_name(plugin);
	return c;
}

struct counterpart
counterpart_of_predicate(const struct predicate *unit)
{
	struct counterpart c =
	    counterpart_of(unit->convert, &unit->policy, unit->plugin);
	struct named_rule by;

	if (c.plugin == NULL && find_covering_rule(unit->name, &by))
		c.plugin = plugin_name(by.predicate->plugin);
	return c;
}

struct counterpart
counterpart_of_priority(const struct priority *unit)
{
	return counterpart_of(unit->convert, &unit->policy, unit->plugin);
}

const char *
counterpart_plugin(const struct counterpart *c, int release)
{
	return release >= 36 && c->later != NULL ? c->later : c->plugin;
}

const char *
counterpart_name(enum rule_kind kind, const char *plugin)
{
	struct named_rule rule;

	for (size_t i = 0; next_named_rule(kind, &i, &rule);) {
		struct counterpart c = kind == RULE_FILTERS ?
		    counterpart_of(rule.predicate->convert, rule.policy,
			rule.predicate->plugin) :
		    counterpart_of_priority(rule.priority);

		if (c.plugin != NULL && strcmp(c.plugin, plugin) == 0 &&
		    !c.one_way && !(rule.policy->in & IN_MANUAL))
			return rule.name;
	}
	return NULL;
}

const char *
convert_origin(struct conversion *c, const char *name, unsigned line)
{
	const char *file = c->profile->file, *slash;

	if (line == 0)
		return arena_printf(&c->arena, "%s, by default", name);
	if (file == NULL)
		return arena_printf(&c->arena, "%s, line %u", name, line);
	slash = strrchr(file, '/');
	return arena_printf(&c->arena, "%s, %s:%u", name,
	    slash != NULL ? slash + 1 : file, line);
}

void
convert_impossible(struct conversion *c, const char *name, unsigned line,
    unsigned column, const char *fmt, ...)
{
	AUTOFREE char *said = NULL, *why = NULL;

	XFORMAT(said, fmt);
	why = text_visible(said);
	c->nimpossible++;
	text_put(&c->impossible,
	    arena_printf(&c->arena, "# not possible: %s: %s\n",
		line > 0 ? convert_origin(c, name, line) : name, why));
	problem_add(c->notes, SEVERITY_WARNING,
	    c->profile->file != NULL ? c->profile->file : "policy", line,
	    column, "%s: not possible: %s", name, why);
}

void
convert_put_impossible(struct conversion *c)
{
	if (c->impossible.len > 0)
		text_append(c->out, c->impossible.bytes, c->impossible.len);
}

const char *
convert_quoted(struct conversion *c, const char *text)
{
	struct text quoted = { 0 };

	json_put_string(&quoted, text);
	return text_keep(&quoted, &c->arena);
}

const char *
convert_labels(struct conversion *c, const sym *labels, size_t n)
{
	struct text text = { 0 };

	for (size_t i = 0; i < n; i++) {
		text_put(&text, i > 0 ? ", " : "[");
		json_put_string(&text, sym_text(labels[i]));
	}
	text_put(&text, n > 0 ? "]" : "[]");
	return text_keep(&text, &c->arena);
}

/* Extenders. */

static void
put_member(struct conversion *c, const char *key, const char *value)
{
	if (value != NULL && *value != '\0')
		convert_put(c, "  %s: %s\n", key, convert_quoted(c, value));
}

static void
put_flag(struct conversion *c, const char *key, bool value)
{
	if (value)
		convert_put(c, "  %s: true\n", key);
}

/* The file's name, if it is in one. */
static void
put_tls_part(struct conversion *c, const char *kind, const char *file,
    const char *data, size_t len)
{
	AUTOFREE char *encoded = len > 0 ? base64_encode(data, len) : NULL;

	if (file != NULL && *file != '\0')
		convert_put(c, "    %sFile: %s\n", kind,
		    convert_quoted(c, file));
	else if (len > 0)
		convert_put(c, "    %sData: %s\n", kind, encoded);
}

static void
put_tls(struct conversion *c, const struct extender *e)
{
	bool has_ca = e->tls.ca_len > 0;

	convert_put(c, "  tlsConfig:\n");
	/* enableHttps without a CA implies it. */
	convert_put(c, "    insecure: %s\n",
	    e->tls.insecure && !has_ca ? "true" : "false");
	if (*e->tls.server_name != '\0')
		convert_put(c, "    serverName: %s\n",
		    convert_quoted(c, e->tls.server_name));
	put_tls_part(c, "cert", e->tls.cert_file, e->tls.cert_data,
	    e->tls.cert_len);
	put_tls_part(c, "key", e->tls.key_file, e->tls.key_data,
	    e->tls.key_len);
	put_tls_part(c, "ca", e->tls.ca_file, e->tls.ca_data, e->tls.ca_len);
}

static void
put_extender(struct conversion *c, const struct extender *e, bool later)
{
	char timeout[DURATION_TEXT];

	convert_put(c, "- urlPrefix: %s # %s\n",
	    convert_quoted(c, e->url_prefix),
	    convert_origin(c, "an extender", e->line));
	put_member(c, "filterVerb", e->filter_verb);
	put_member(c, "preemptVerb", e->preempt_verb);
	put_member(c, "prioritizeVerb", e->prioritize_verb);
	if (e->weight != 0)
		convert_put(c, "  weight: %" PRId64 "\n", e->weight);
	put_member(c, "bindVerb", e->bind_verb);
	put_flag(c, later ? "enableHTTPS" : "enableHttps", e->enable_https);
	if (later)
		convert_put(c, "  httpTimeout: %s\n",
		    duration_text(e->timeout_ns, timeout));
	else
		convert_put(c, "  httpTimeout: %" PRId64 "\n", e->timeout_ns);
	if (e->has_tls)
		put_tls(c, e);
	put_flag(c, "nodeCacheCapable", e->node_cache_capable);
	put_flag(c, "ignorable", e->ignorable);
	if (e->nmanaged > 0)
		convert_put(c, "  managedResources:\n");
	for (size_t i = 0; i < e->nmanaged; i++)
		convert_put(c, "  - {name: %s, ignoredByScheduler: %s}\n",
		    convert_quoted(c, sym_text(e->managed[i].name)),
		    e->managed[i].ignored_by_scheduler ? "true" : "false");
}

void
convert_put_extenders(struct conversion *c, bool later)
{
	if (c->profile->nextenders > 0)
		convert_put(c, "extenders:\n");
	for (size_t i = 0; i < c->profile->nextenders; i++)
		put_extender(c, &c->profile->extenders[i], later);
}
