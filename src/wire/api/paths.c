#include "config.h"

#include "wire/api/paths.h"

#include "base/text.h"

char *
path_of_version(const char *version)
{
	return xasprintf("%s/%s",
	    strchr(version, '/') != NULL ? "/apis" : "/api", version);
}

char *
path_of_collection(const char *version, const char *namespace,
    const char *resource)
{
	char AUTOFREE *root = path_of_version(version);
	struct text path = { 0 };

	text_put(&path, root);
	if (namespace != NULL) {
		text_put(&path, "/namespaces/");
		url_put(&path, namespace);
	}
	text_put(&path, "/");
	url_put(&path, resource);
	return text_take(&path);
}

char *
path_of_object(const char *version, const char *namespace, const char *resource,
    const char *name, const char *subresource)
{
	struct text path = { 0 };
	AUTOFREE char *collection =
	    path_of_collection(version, namespace, resource);

	text_put(&path, collection);
	text_put(&path, "/");
	url_put(&path, name);
	text_put(&path, subresource);
	return text_take(&path);
}

void
path_put_parameter(struct text *path, const char *key, const char *value)
{
	if (value == NULL)
		return;
	text_printf(path, "%c%s=", strchr(path->bytes, '?') != NULL ? '&' : '?',
	    key);
	url_put(path, value);
}
