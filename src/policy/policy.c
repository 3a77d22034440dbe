#include "config.h"

#include "policy/policy.h"

#include <strings.h>
#include <sys/stat.h>

#include "base/excerpt.h"
#include "base/file.h"
#include "base/json_out.h"
#include "policy/openshift.h"
#include "policy/policy_internal.h"

#define CONFIG_MAP_KEY "policy.cfg"
#define CONFIG_MAPS_AROUND 2 /* at most, around a policy */
#define COMMAS_MOST 100      /* the text is read again after each */

/* The expected type: kind and apiVersion. */

/*
 * A member of the root that names its type.  kube-scheduler looks for these two
 * in any case, and the last one counts.
 */
static const char *
type_member(const struct doc_node *root, const char *key,
    const struct doc_node **at)
{
	const char *text = "";

	*at = root;
	if (root->kind != DOC_OBJECT)
		return text;
	EACH_CHILD (p, root)
		if (strcasecmp(p->key, key) == 0 && p->kind == DOC_STRING) {
			text = p->text;
			*at = p;
		}
	return text;
}

/* Whether both are strings where they are given. */
static bool
check_type_members(struct reading *reading, const struct doc_node *root)
{
	bool ok = true;

	if (root->kind != DOC_OBJECT)
		return true;
	EACH_CHILD (p, root) {
		if (strcasecmp(p->key, "kind") != 0 &&
		    strcasecmp(p->key, "apiVersion") != 0)
			continue;
		if (p->kind == DOC_STRING || p->kind == DOC_NULL)
			continue;
		reading_report(reading, SEVERITY_ERROR, p,
		    "%s must be a string, not %s", p->key,
		    doc_kind_name(p->kind));
		ok = false;
	}
	return ok;
}

static bool
is_component_config(const struct doc_node *root)
{
	static const char group[] = "kubescheduler.config.k8s.io/";
	const struct doc_node *at;
	const char *version = type_member(root, "apiVersion", &at);

	return strcmp(type_member(root, "kind", &at),
		   "KubeSchedulerConfiguration") == 0 ||
	    (strncmp(version, group, strlen(group)) == 0 &&
		strcmp(type_member(root, "kind", &at), "Policy") != 0);
}

/* Finds out by which names fields go; false: no policy that can be read. */
static bool
check_type(struct reading *reading, const struct doc_node *root)
{
	const struct doc_node *kind_at, *version_at;
	const char *kind = type_member(root, "kind", &kind_at);
	const char *version = type_member(root, "apiVersion", &version_at);

	if (is_component_config(root)) {
		reading_report(reading, SEVERITY_ERROR, root,
		    "this is a KubeSchedulerConfiguration, not a Policy; "
		    "give it with --config");
		return false;
	}
	if (!check_type_members(reading, root))
		return false;
	if (*kind != '\0' && strcmp(kind, "Policy") != 0) {
		reading_report(reading, SEVERITY_ERROR, kind_at,
		    "kind must be \"Policy\", not \"%s\"", kind);
		return false;
	}
	/* "/" separates an empty group from a version. */
	if (strcmp(version, "v1") == 0 || strcmp(version, "/v1") == 0) {
		reading->names = NAMES_V1;
		return true;
	}
	if (strcmp(version, "kubescheduler.config.k8s.io/v1") == 0 &&
	    !reading->options->strict) {
		reading->names = NAMES_V1;
		reading_report(reading, SEVERITY_WARNING, version_at,
		    "apiVersion \"%s\": read as \"v1\"; kube-scheduler "
		    "refuses it before 1.18",
		    version);
		reading_mend(reading, MEND_VALUE, version_at, "\"v1\"", NULL);
		return true;
	}
	if (*version == '\0' || strcmp(version, "/") == 0 ||
	    strcmp(version, "__internal") == 0 ||
	    strcmp(version, "/__internal") == 0) {
		reading->names =
		    reading->options->strict ? NAMES_GO : NAMES_EITHER;
		if (root->kind == DOC_OBJECT && root->first != NULL) {
			reading_report(reading, SEVERITY_WARNING, version_at,
			    reading->options->strict ?
				"without \"apiVersion\": \"v1\" "
				"kube-scheduler ignores the policy" :
				"no \"apiVersion\": read as \"v1\"; "
				"kube-scheduler would ignore the policy");
			if (version_at == root && !reading->options->strict)
				reading_mend(reading, MEND_MEMBER, root,
				    "\"apiVersion\": \"v1\"", NULL);
		}
		return true;
	}
	reading_report(reading, SEVERITY_ERROR, version_at,
	    "apiVersion must be \"v1\", not \"%s\"", version);
	return false;
}

/* Problems that come from elsewhere. */

/* Splits "name:line:column: sentence" of a document's error; without a place *at
 * stays as it is. */
static const char *
split_error(const struct reading *reading, const char *text,
    struct doc_node *at)
{
	size_t len = strlen(reading->file);
	unsigned line, column;
	int end = 0;

	if (strncmp(text, reading->file, len) != 0)
		return text;
	text += len;
	if (sscanf(text, ":%u:%u: %n", &line, &column, &end) != 2 || end == 0)
		return text + strspn(text, ": ");
	at->line = line;
	at->column = column;
	return text + end;
}

void
reading_unreadable(struct reading *reading, const char *text)
{
	struct doc_node at = { 0 };
	const char *sentence = split_error(reading, text, &at);

	reading_report(reading, SEVERITY_ERROR, at.line > 0 ? &at : NULL, "%s",
	    sentence);
}

char *
reading_without_commas(struct reading *reading, const char *text, size_t len)
{
	char *copy = NULL, *comma;

	for (size_t i = 0; i < COMMAS_MOST; i++) {
		struct doc_reader *docs = doc_open_text(reading->file,
		    copy != NULL ? copy : text, len, &doc_limits_people, false);
		const struct doc_node *root;
		struct doc_node at = { 0 };
		struct err err = { "" };
		int rc = doc_next(docs, &root, &err);

		doc_close(docs);
		if (rc >= 0 ||
		    strcmp(split_error(reading, err.text, &at),
			DOC_TRAILING_COMMA) != 0)
			break;
		reading_report(reading, SEVERITY_ERROR, &at,
		    "" DOC_TRAILING_COMMA);
		reading_mend(reading, MEND_COMMA, &at, NULL, NULL);
		if (copy == NULL) {
			copy = xmalloc(len + 1);
			memcpy(copy, text, len);
			copy[len] = '\0';
		}
		comma = (char *)excerpt_place(copy, len, at.line, at.column);
		while (*comma != ',')
			comma--;
		*comma = ' ';
	}
	return copy;
}

/* Reading. */

/* Whether the document's reader took the text for YAML. */
bool
policy_text_is_yaml(const char *text, size_t len)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *end = text + len;

	if (len >= 3 && memcmp(text, mark, 3) == 0)
		text += 3;
	while (text < end && strchr(" \t\r\n", *text) != NULL && *text != '\0')
		text++;
	return text == end || (*text != '{' && *text != '[');
}

/* ConfigMap manifests. */

static const struct doc_node *
embedded_policy(const struct doc_node *root)
{
	const struct doc_node *value =
	    doc_get(doc_get(root, "data"), CONFIG_MAP_KEY);

	return value != NULL && value->kind == DOC_STRING ? value : NULL;
}

static bool
is_config_map(const struct doc_node *root)
{
	const struct doc_node *at;
	const char *kind = type_member(root, "kind", &at);

	if (strcmp(kind, "ConfigMap") == 0)
		return true;
	return *kind == '\0' && embedded_policy(root) != NULL;
}

const struct doc_node *
policy_of_manifest(const struct doc_node *root)
{
	return is_config_map(root) ? embedded_policy(root) : NULL;
}

int
policy_rewrite(const char *name, const char *text, size_t len,
    void (*put)(struct json_out *json, const struct doc_node *root),
    struct text *out, struct err *err)
{
	struct doc *doc = doc_parse(name, text, len, &doc_limits_people, err);
	struct json_out json = JSON_OUT_INIT(out);
	const struct doc_node *inner;
	int rc = 0;

	if (doc == NULL)
		return -1;
	inner = policy_of_manifest(doc_root(doc));
	if (inner != NULL)
		rc = policy_rewrite(name, inner->text, inner->len, put, out,
		    err);
	else
		put(&json, doc_root(doc));
	doc_free(doc);
	return rc;
}

/* The beginning of the line after this one, or NULL. */
static const char *
next_line(const char *text, const char *end)
{
	const char *nl = memchr(text, '\n', (size_t)(end - text));

	return nl != NULL ? nl + 1 : NULL;
}

static size_t
count_blanks(const char *text, const char *end)
{
	size_t n = 0;

	while (text + n < end && text[n] == ' ')
		n++;
	return n;
}

/*
 * The indentation of the embedded text in columns, from the first line that is
 * not blank on; -1 if it is not embedded in this form.
 */
static int
shift_of(const char *outer, const char *outer_end, const char *inner,
    const char *inner_end)
{
	while (outer != NULL && inner != NULL) {
		size_t outer_blanks = count_blanks(outer, outer_end);
		size_t inner_blanks = count_blanks(inner, inner_end);
		const char *outer_text = outer + outer_blanks;
		const char *inner_text = inner + inner_blanks;

		if (outer_text == outer_end || inner_text == inner_end)
			break;
		if (*outer_text != '\n' && *outer_text != '\r')
			return *outer_text == *inner_text &&
				outer_blanks >= inner_blanks ?
			    (int)(outer_blanks - inner_blanks) :
			    -1;
		outer = next_line(outer, outer_end);
		inner = next_line(inner, inner_end);
	}
	return -1;
}

/*
 * With YAML's "|" the outer text contains the embedded text unchanged except
 * for indentation, from the next line on.  In other forms the name in messages
 * is FILE: data[policy.cfg].
 */
static void
place_embedded(struct reading *reading, const struct doc_node *value,
    const char *text, size_t len)
{
	const char *end = text + len, *line = text;
	int shift = -1;

	reading->embedded++;
	for (unsigned i = 1; line != NULL && i < value->line; i++)
		line = next_line(line, end);
	if (line != NULL && reading->yaml &&
	    (size_t)(end - line) >= value->column &&
	    line[value->column - 1] == '|')
		shift = shift_of(next_line(line, end), end, value->text,
		    value->text + value->len);
	if (shift >= 0) {
		reading->more_lines += value->line;
		reading->more_columns += (unsigned)shift;
		return;
	}
	reading->more_lines = 0;
	reading->more_columns = 0;
	reading->file = arena_printf(&reading->arena,
	    "%s: data[" CONFIG_MAP_KEY "]", reading->file);
}

/* A policy, or an object that may hold one. */
static bool
may_be_policy(const struct reading *reading, const struct doc_node *root)
{
	const struct doc_node *at;
	const char *kind = type_member(root, "kind", &at);

	if (reading->config_map != NULL) {
		/* It must be the ConfigMap that the Scheduler object names. */
		const struct doc_node *metadata = doc_get(root, "metadata");
		const char *its = "";
		const char *namespace = OPENSHIFT_CONFIG;

		return is_config_map(root) &&
		    doc_get_string(metadata, "name", "name", &its, NULL) == 0 &&
		    doc_get_string(metadata, "namespace", "namespace",
			&namespace, NULL) == 0 &&
		    strcmp(its, reading->config_map) == 0 &&
		    strcmp(namespace, OPENSHIFT_CONFIG) == 0;
	}
	return *kind == '\0' || strcmp(kind, "Policy") == 0 ||
	    strcmp(kind, "ConfigMap") == 0 || is_component_config(root);
}

/* The candidate in a document: the document itself or, in a list, the first
 * element that may be a policy.  NULL: none. */
static const struct doc_node *
candidate_in(const struct reading *reading, const struct doc_node *root)
{
	const struct doc_node *at, *items = doc_get(root, "items");
	const char *kind = type_member(root, "kind", &at);
	size_t len = strlen(kind);

	if (may_be_policy(reading, root))
		return root;
	if (items == NULL || items->kind != DOC_ARRAY || len < 4 ||
	    strcmp(kind + len - 4, "List") != 0)
		return NULL;
	for (at = items->first; at != NULL; at = at->next)
		if (may_be_policy(reading, at))
			return at;
	return NULL;
}

/*
 * kube-scheduler reads the first document, which may be empty, and ignores the
 * rest.  We take the first that may be a policy; if none is, the first is
 * reported.  Results as those of doc_next(), of which -1 is reported.
 */
static int
find_document(struct reading *reading, struct doc_reader *docs,
    const struct doc_node **root)
{
	struct doc_node first = { 0 };
	const char *kind = NULL;
	struct err err;
	int result;

	while ((result = doc_next(docs, root, &err)) == 1) {
		const struct doc_node *at,
		    *meant = candidate_in(reading, *root);
		const char *its_kind = type_member(*root, "kind", &at);

		if (reading->options->strict)
			return !doc_passed_over_empty(docs);
		if (meant != NULL) {
			*root = meant;
			return 1;
		}
		if (kind == NULL) {
			kind = arena_printf(&reading->arena, "%s", its_kind);
			first.line = at->line;
			first.column = at->column;
		}
	}
	if (result < 0) {
		reading_unreadable(reading, err.text);
	} else if (reading->config_map != NULL) {
		first.line = reading->config_map_line;
		first.column = reading->config_map_column;
		reading_report(reading, SEVERITY_ERROR, &first,
		    "the ConfigMap " OPENSHIFT_CONFIG "/%s is not in this file",
		    reading->config_map);
	} else if (kind != NULL) {
		reading_report(reading, SEVERITY_ERROR, &first,
		    "kind must be \"Policy\", not \"%s\"", kind);
	} else {
		return 0;
	}
	return -1;
}

/* Text after the document: YAML may have more documents, JSON must not. */
static void
check_end(struct reading *reading, struct doc_reader *docs)
{
	const struct doc_node *root;
	struct err err;
	int result = doc_next(docs, &root, &err);

	if (reading->yaml && result == 1) {
		reading_report(reading, SEVERITY_WARNING, root,
		    "a further document, ignored");
	} else if (!reading->yaml && result == 1) {
		reading_report(reading, SEVERITY_ERROR, root,
		    "unexpected text after the policy");
	} else if (!reading->yaml && result < 0) {
		reading_unreadable(reading, err.text);
	}
}

static struct profile *
read_documents(struct reading *reading, struct doc_reader *docs,
    const char *text, size_t len)
{
	const struct doc_node *root, *at;
	struct profile *profile = NULL;
	struct policy policy;
	int result = find_document(reading, docs, &root);

	if (result < 0)
		return NULL;
	if (result == 0) {
		static const struct policy empty;

		reading_report(reading, SEVERITY_WARNING, NULL,
		    "it is empty: the defaults apply");
		return profile_build(reading, &empty, PROVIDER_DEFAULT);
	}
	/* The OpenShift manual shows a policy.cfg that is a ConfigMap
	 * itself. */
	if (!reading->options->strict &&
	    reading->embedded < CONFIG_MAPS_AROUND && is_config_map(root)) {
		at = embedded_policy(root);
		if (at == NULL) {
			reading_report(reading, SEVERITY_ERROR, root,
			    "the ConfigMap has no \"" CONFIG_MAP_KEY
			    "\" in its \"data\"");
			return NULL;
		}
		place_embedded(reading, at, text, len);
		reading->config_map = NULL;
		return policy_read_text(reading, at->text, at->len);
	}
	if (check_type(reading, root)) {
		for (size_t i = 0; (at = doc_duplicate(root->doc, i)) != NULL;
		     i++)
			reading_report(reading, SEVERITY_WARNING, at,
			    "\"%s\" is repeated; the last value applies",
			    at->key);
		policy_decode(reading, root, &policy);
		profile = profile_build(reading, &policy, PROVIDER_DEFAULT);
	}
	check_end(reading, docs);
	return profile;
}

struct profile *
policy_read_text(struct reading *reading, const char *text, size_t len)
{
	AUTOFREE char *without = reading_without_commas(reading, text, len);
	struct doc_reader *docs = doc_open_text(reading->file,
	    without != NULL ? without : text, len, &doc_limits_people, false);
	struct profile *profile;

	reading->yaml = policy_text_is_yaml(text, len);
	profile = read_documents(reading, docs, text, len);
	doc_close(docs);
	return profile;
}

void
reading_error(const struct reading *reading, struct err *err)
{
	const struct problem *problem = reading->problems->at;
	char sentence[sizeof(err->text)];

	while (problem->severity != SEVERITY_ERROR)
		problem++;
	errf(err, "%s", problem_text(problem, sentence, sizeof(sentence)));
}

char *
policy_in_config_map(const char *text, size_t len)
{
	struct doc_reader *docs =
	    doc_open_text("", text, len, &doc_limits_people, false);
	struct reading reading = { 0 };
	const struct doc_node *root, *value = NULL;
	char *inner = NULL;

	while (doc_next(docs, &root, NULL) == 1) {
		root = candidate_in(&reading, root);
		if (root == NULL)
			continue;
		value = policy_of_manifest(root);
		break;
	}
	if (value != NULL)
		inner = policy_in_config_map(value->text, value->len);
	if (value != NULL && inner == NULL)
		inner = xstrndup(value->text, value->len);
	doc_close(docs);
	return inner;
}

/* Files. */

char *
policy_file_text(const char *path, size_t *len, struct err *err)
{
	struct err why;
	struct stat st;
	char *text;

	if (stat(path, &st) != 0) {
		errf(err, "missing policy config file %s", path);
		return NULL;
	}
	text = file_load(path, doc_limits_people.bytes, len, NULL, &why);
	if (text == NULL)
		errf(err, "couldn't read policy config: %s", why.text);
	return text;
}

/* Without a policy. */

static struct profile *
build_provider(const char *name, enum provider provider,
    const struct policy_options *options)
{
	static const struct policy empty;
	struct problems problems = { 0 };
	struct reading reading = { .options = options,
		.problems = &problems,
		.file = name };
	struct profile *profile = profile_build(&reading, &empty, provider);

	arena_fini(&reading.arena);
	problems_fini(&problems);
	return profile;
}

struct profile *
policy_provider(const char *name, const struct policy_options *options)
{
	if (strcmp(name, "DefaultProvider") == 0)
		return build_provider(name, PROVIDER_DEFAULT, options);
	if (strcmp(name, "ClusterAutoscalerProvider") == 0)
		return build_provider(name, PROVIDER_AUTOSCALER, options);
	return NULL;
}

char *
policy_startup_line(const struct profile *profile)
{
	if (profile->startup_line == NULL)
		return NULL;
	return xstrdup(profile->startup_line);
}
