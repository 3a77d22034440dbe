/* The page's own files (page/files.h), which are part of the program. */
#ifndef WEB_ASSETS_H
#define WEB_ASSETS_H

#include "page/files.h"

extern const struct page_files web_files;

#endif
