#include "config.h"

#include <event2/http.h>

#include "wire/http/server_internal.h"

/* "+" and %xx are undone; a %00 ends the value. */
static char *
decode(const char *text, size_t len)
{
	AUTOFREE char *piece = xstrndup(text, len);
	char *decoded = evhttp_uridecode(piece, 1, NULL);

	return decoded != NULL ? decoded : xstrdup("");
}

/* (libevent's own parser refuses the whole of "verbose&pod=a", which has a name
 * without "=".) */
void
query_init(struct query *query, const char *encoded)
{
	*query = (struct query){ 0 };
	if (encoded == NULL)
		return;
	while (*encoded != '\0') {
		size_t len = strcspn(encoded, "&");
		size_t name_len = strcspn(encoded, "&=");
		struct query_pair *pair;

		if (len > 0) {
			vec_room(query->pairs, query->n, &query->cap);
			pair = &query->pairs[query->n++];
			pair->name = decode(encoded, name_len);
			pair->value = name_len < len ?
			    decode(encoded + name_len + 1, len - name_len - 1) :
			    xstrdup("");
		}
		encoded += len + (encoded[len] == '&');
	}
}

void
query_fini(struct query *query)
{
	for (size_t i = 0; i < query->n; i++) {
		free(query->pairs[i].name);
		free(query->pairs[i].value);
	}
	free(query->pairs);
}

const char *
query_get(const struct query *query, const char *name)
{
	const struct query_pair *pair =
	    FIND_ROW(query->pairs, query->n, name, name);

	return pair != NULL ? pair->value : NULL;
}
