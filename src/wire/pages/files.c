#include "config.h"

#include "wire/pages/files.h"

#include "wire/pages/assets_data.h"
#include "wire/pages/live_data.h"
#include "wire/pages/shared_data.h"

const char *const page_headers[] = {
	"Content-Security-Policy",
	"default-src 'none'; script-src 'self'; style-src 'self'; "
	"connect-src 'self'; img-src 'self'; base-uri 'none'; "
	"form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options",
	"nosniff",
	"X-Frame-Options",
	"DENY",
	"Referrer-Policy",
	"no-referrer",
	"Cache-Control",
	"no-store",
	"Cross-Origin-Resource-Policy",
	"same-origin",
	"Cross-Origin-Opener-Policy",
	"same-origin",
	NULL,
};

const struct page_file *
page_file(const struct page_files *own, const char *name)
{
	const struct page_files *const tables[] = { own, &page_shared };

	if (*name == '\0')
		name = "index.html";
	for (size_t t = 0; t < sizeof(tables) / sizeof(*tables); t++)
		for (size_t i = 0; i < tables[t]->n; i++)
			if (strcmp(tables[t]->at[i].name, name) == 0)
				return &tables[t]->at[i];
	return NULL;
}
