#include "config.h"

#include "api/version.h"

#include "api/client.h"
#include "base/doc.h"
#include "base/xmalloc.h"
#include "model/release.h"

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
