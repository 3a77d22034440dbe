#include "config.h"

#include "objects/release.h"

int
release_parse(const char *text)
{
	size_t digits;

	if (*text == 'v')
		text++;
	if (strncmp(text, "1.", 2) != 0)
		return -1;
	text += 2;
	digits = strspn(text, "0123456789");
	if (digits < 1 || digits > 3 ||
	    (text[digits] != '\0' && strchr(".+-", text[digits]) == NULL))
		return -1;
	return atoi(text);
}

int
release_of_kubelet(const char *version)
{
	const char *vk = strstr(version, "-vk"); /* "-vke" is a vendor's */
	bool is_virtual = (vk != NULL && (vk[3] == '\0' || vk[3] == '-')) ||
	    strstr(version, "virtual") != NULL ||
	    strstr(version, "kwok") != NULL || strstr(version, "fake") != NULL;

	return is_virtual ? -1 : release_parse(version);
}

int
release_of_rules(int minor)
{
	return minor < RELEASE_OLDEST ? RELEASE_OLDEST : minor;
}
