#include "config.h"

#include "web/assets.h"

#include <string.h>

#include "base/xmalloc.h"
#include "web/assets_data.h"

const struct web_asset *
web_asset(const char *path)
{
	if (strcmp(path, "/") == 0)
		path = "/index.html";
	for (size_t i = 0; i < LENGTH(assets); i++)
		if (strcmp(assets[i].path, path) == 0)
			return &assets[i];
	return NULL;
}
