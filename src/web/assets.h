/* The files of the page, which are part of the program (src/web/assets/). */
#ifndef WEB_ASSETS_H
#define WEB_ASSETS_H

#include <stddef.h>

struct web_asset {
	const char *path; /* "/app.js" */
	const char *type;
	const unsigned char *bytes;
	size_t len;
};

/* "/" is the page itself; NULL: there is no such file. */
const struct web_asset *web_asset(const char *path);

#endif
