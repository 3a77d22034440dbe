/* Releases of Kubernetes, by their minor version: 20 is 1.20. */
#ifndef MODEL_RELEASE_H
#define MODEL_RELEASE_H

/* The release whose scheduler reads policies as we do; also stands for an
 * unknown one where there is no API server. */
#define RELEASE_OLDEST 15
/* The newest release whose fields are known. */
#define RELEASE_NEWEST 36

/* "1.21", "v1.21.3", "1.21+" to 21; -1 if it is no such version. */
int release_parse(const char *text);

/* The same of a kubelet; -1 also for one that only stands for others, as those of
 * virtual-kubelet ("v1.13.1-vk-0.10") and kwok have it. */
int release_of_kubelet(const char *version);

/* As cluster->kubernetes_minor: RELEASE_OLDEST for every release before it. */
int release_of_rules(int minor);

#endif
