#include "config.h"

#include "ctl/names.h"

#include <string.h>

/* The length of the end that both have from a dot on. */
static size_t
common_end(const char *a, size_t na, const char *b, size_t nb)
{
	size_t n = 0, dot = 0;

	while (n < na && n < nb && a[na - n - 1] == b[nb - n - 1]) {
		n++;
		if (a[na - n] == '.')
			dot = n;
	}
	return dot;
}

struct names
names_of(const struct cluster *cluster, const struct screen *screen)
{
	struct names names = { .domain = "" };
	const char *first;
	size_t len;

	if (screen->width == 0 || cluster->nnodes < 2)
		return names;
	first = sym_text(cluster->nodes[0]->name);
	len = names.suffix = strlen(first);
	for (uint32_t i = 1; i < cluster->nnodes && names.suffix > 0; i++) {
		const char *name = sym_text(cluster->nodes[i]->name);

		names.suffix = common_end(first + len - names.suffix,
		    names.suffix, name, strlen(name));
	}
	names.domain = first + len - names.suffix;
	return names;
}

int
names_len(const struct names *names, const char *name)
{
	size_t len = strlen(name);

	return (int)(len > names->suffix &&
		    strcmp(name + len - names->suffix, names->domain) == 0 ?
		len - names->suffix :
		len);
}
