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
	const struct page_file *file;

	if (*name == '\0')
		name = "index.html";
	file = FIND_ROW(own->at, own->n, name, name);
	return file != NULL ?
	    file :
	    FIND_ROW(page_shared.at, page_shared.n, name, name);
}
