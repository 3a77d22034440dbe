/*
 * The files of our pages, which are part of the programs: plain HTML, CSS and
 * JavaScript.  Each page has files of its own and shares some with the other.
 */
#ifndef PAGE_FILES_H
#define PAGE_FILES_H

struct page_file {
	const char *name; /* "app.css" */
	const char *type;
	const unsigned char *bytes;
	size_t len;
};

struct page_files {
	size_t n;
	const struct page_file *at;
};

extern const struct page_files page_shared; /* of both pages */
extern const struct page_files page_web;    /* of predicatectl web's page */
extern const struct page_files page_live;   /* of the daemon's page */

/* One of these or of the shared files; "" is index.html.  NULL: there is none. */
const struct page_file *page_file(const struct page_files *own,
    const char *name);

/* The headers of each reply, names and values in turn up to a NULL: only the page's
 * own files may be loaded, no inline code runs, nothing is stored or framed. */
extern const char *const page_headers[];

#endif
