/*
 * etc/kubernetes: every container is limited and confined, and every pod that
 * has a network of its own is behind a network policy.  (t/daemon/manifests.t
 * has a real API server take them.)
 */
#include "config.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static const char *const folders[] = {
	"etc/kubernetes/base/*.yaml",
	"etc/kubernetes/components/*/*.yaml",
	"etc/kubernetes/static-pod/*.yaml",
};

/* Calls each() with every object of that kind; returns how many there are. */
static size_t
for_each(const char *kind,
    void (*each)(const char *file, const struct doc_node *object))
{
	size_t n = 0;

	for (size_t i = 0; i < LENGTH(folders); i++) {
		glob_t files;

		if (glob(t_path(folders[i]), 0, NULL, &files) != 0)
			continue;
		for (size_t j = 0; j < files.gl_pathc; j++) {
			const struct doc_node *root;
			struct err err = { { 0 } };
			struct doc_reader *reader =
			    doc_open_file(files.gl_pathv[j], &doc_limits_people,
				false, &err);

			if (!t_true(files.gl_pathv[j], reader != NULL))
				continue;
			while (doc_next(reader, &root, &err) == 1) {
				const struct doc_node *is =
				    doc_get(root, "kind");

				if (is == NULL || is->kind != DOC_STRING ||
				    strcmp(is->text, kind) != 0)
					continue;
				n++;
				if (each != NULL)
					each(files.gl_pathv[j], root);
			}
			t_str(files.gl_pathv[j], err.text, "");
			doc_close(reader);
		}
		globfree(&files);
	}
	return n;
}

/* The text or number at a path such as "spec.replicas"; "" if it is absent. */
static const char *
at(const struct doc_node *node, const char *path)
{
	char part[64];

	while (node != NULL && *path != '\0') {
		size_t len = strcspn(path, ".");

		snprintf(part, sizeof(part), "%.*s", (int)len, path);
		node = doc_get(node, part);
		path += len + (path[len] == '.');
	}
	if (node == NULL)
		return "";
	if (node->kind == DOC_BOOL)
		return node->boolean ? "true" : "false";
	return node->text != NULL ? node->text : "(no scalar)";
}

static const struct doc_node *
spec_of(const struct doc_node *object)
{
	const struct doc_node *spec = doc_get(object, "spec");
	const struct doc_node *template = doc_get(spec, "template");

	return template != NULL ? doc_get(template, "spec") : spec;
}

static void
check_confined(const char *file, const struct doc_node *object)
{
	const struct doc_node *spec = spec_of(object);
	const struct doc_node *containers = doc_get(spec, "containers");

	t_str(file, at(spec, "securityContext.seccompProfile.type"),
	    "RuntimeDefault");
	if (!t_true(file, containers != NULL && containers->count > 0))
		return;
	for (const struct doc_node *c = containers->first; c; c = c->next) {
		const struct doc_node *drop =
		    doc_get(doc_get(doc_get(c, "securityContext"),
				"capabilities"),
			"drop");

		t_true(file, at(c, "resources.requests.cpu")[0] != '\0');
		t_true(file, at(c, "resources.requests.memory")[0] != '\0');
		t_str(file, at(c, "resources.limits.memory"), "2Gi");
		t_str(file, at(c, "resources.limits.cpu"), "");
		t_str(file, at(c, "securityContext.allowPrivilegeEscalation"),
		    "false");
		t_str(file, at(c, "securityContext.readOnlyRootFilesystem"),
		    "true");
		t_true(file, drop != NULL && drop->count == 1);
		t_str(file, drop != NULL ? drop->first->text : "", "ALL");
	}
}

static void
containers_are_limited_and_confined(void)
{
	t_int("Deployments", for_each("Deployment", check_confined), 1);
	t_int("static pods", for_each("Pod", check_confined), 1);
}

/* Of the Deployment that is being checked. */
static const struct doc_node *deployment;
static size_t behind;

static bool
has_port(const struct doc_node *ports, const char *port)
{
	if (ports == NULL)
		return false;
	for (const struct doc_node *p = ports->first; p; p = p->next)
		if (strcmp(at(p, "port"), port) == 0)
			return true;
	return false;
}

static void
check_policy(const char *file, const struct doc_node *policy)
{
	const struct doc_node *spec = doc_get(policy, "spec");
	const struct doc_node *labels =
	    doc_get(doc_get(spec, "podSelector"), "matchLabels");
	const struct doc_node *have =
	    doc_get(doc_get(doc_get(doc_get(deployment, "spec"), "template"),
			"metadata"),
		"labels");
	const struct doc_node *types = doc_get(spec, "policyTypes");
	const struct doc_node *in = doc_get(spec, "ingress");
	const struct doc_node *out = doc_get(spec, "egress");

	if (strcmp(at(policy, "metadata.namespace"),
		at(deployment, "metadata.namespace")) != 0)
		return;
	/* An empty selector would mean every pod of the namespace. */
	if (!t_true(file, labels != NULL && labels->count > 0))
		return;
	for (const struct doc_node *l = labels->first; l; l = l->next)
		if (doc_get(have, l->key) == NULL ||
		    strcmp(doc_get(have, l->key)->text, l->text) != 0)
			return;
	behind++;
	t_true("both ways", types != NULL && types->count == 2);
	t_true("who asks us",
	    in != NULL && in->count == 1 &&
		has_port(doc_get(in->first, "ports"), "10259"));
	t_true("the API server",
	    out != NULL && out->count > 0 &&
		has_port(doc_get(out->first, "ports"), "443") &&
		has_port(doc_get(out->first, "ports"), "6443"));
	for (const struct doc_node *r = in->first; r; r = r->next)
		t_true("no port stays open", doc_get(r, "ports") != NULL);
	for (const struct doc_node *r = out->first; r; r = r->next)
		t_true("no way out stays open", doc_get(r, "ports") != NULL);
}

static void
check_behind_policy(const char *file, const struct doc_node *object)
{
	deployment = object;
	behind = 0;
	for_each("NetworkPolicy", check_policy);
	t_int(file, behind, 1);
}

static void
deployments_are_behind_a_network_policy(void)
{
	t_int("Deployments", for_each("Deployment", check_behind_policy), 1);
}

T_MAIN(T(containers_are_limited_and_confined),
    T(deployments_are_behind_a_network_policy))
