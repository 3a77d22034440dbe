/* Numbers as Go writes them. */
#ifndef CEL_GO_TEXT_H
#define CEL_GO_TEXT_H

/* With the fewest digits that read as the same number; 'f' without exponent,
 * 'v' as %v and %g.  buf has room for GO_DOUBLE bytes; returns it. */
#define GO_DOUBLE 352
const char *go_double(char *buf, double d, char verb);

#endif
