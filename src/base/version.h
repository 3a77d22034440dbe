/* Our own version, in the pieces that Kubernetes tells it in. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

struct version_info {
	char major[16], minor[16];
	char git_version[64]; /* "v1.2.3" */
	const char *platform; /* "linux/amd64", as Go says it */
	const char *compiler;
};

struct version_info version_info(void);

/* An object, as kubectl version -o json has it. */
struct json_out;
void version_json(struct json_out *json);

#endif
