#include "config.h"

#include <strings.h>

#include "wire/http/server_internal.h"

#define TOKEN                                                                  \
	"!#$%&'*+-.^_`|~0123456789"                                            \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* Of the request's body there may be one length alone, in digits, or chunks. */
static bool
take_field(struct head *head, const char *name, const char *value)
{
	bool coding = strcasecmp(name, "Transfer-Encoding") == 0;
	size_t len = strspn(value, "0123456789");

	if (!coding && strcasecmp(name, "Content-Length") != 0)
		return true;
	if (coding)
		len = strncasecmp(value, "chunked", 7) == 0 ? 7 : 0;
	if (len == 0 || value[len + strspn(value + len, " \t")] ||
	    head->has_body)
		return false;
	head->has_body = true;
	return true;
}

enum head_line
head_take(struct head *head, char *line, size_t len)
{
	size_t name = strspn(line, TOKEN);

	if (len == 0 || line[len - 1] != '\r')
		return HEAD_BROKEN;
	line[--len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)line[i] < ' ' && line[i] != '\t') ||
		    line[i] == '\x7f')
			return HEAD_BROKEN;
	if (len == 0)
		return head->nlines > 0 ? HEAD_ENDS : HEAD_BROKEN;
	if (head->nlines++ == 0)
		return HEAD_GOES_ON;
	if (name == 0 || line[name] != ':')
		return HEAD_BROKEN;
	line[name++] = '\0';
	return take_field(head, line,
		   line + name + strspn(line + name, " \t")) ?
	    HEAD_GOES_ON :
	    HEAD_BROKEN;
}
