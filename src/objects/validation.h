/*
 * Rules for names in Kubernetes (k8s.io/apimachinery 1.15,
 * pkg/util/validation), and the kinds of resource names (kubernetes 1.15,
 * pkg/apis/core/v1/helper).
 */
#ifndef MODEL_VALIDATION_H
#define MODEL_VALIDATION_H

/* No name has more wrong with it than this. */
#define VALIDATION_MAX 4

/*
 * Each returns how many things are wrong with the len bytes at text (0: it is
 * valid) and puts Kubernetes' sentence about each, a constant, in messages;
 * messages may be NULL.
 */
size_t validate_qualified_name(const char *text, size_t len,
    const char *messages[VALIDATION_MAX]);
size_t validate_label_value(const char *text, size_t len,
    const char *messages[VALIDATION_MAX]);
size_t validate_dns1123_subdomain(const char *text, size_t len,
    const char *messages[VALIDATION_MAX]);

/* No '/' in it, or "kubernetes.io/" somewhere. */
bool resource_is_native(const char *name);
/* A device or the like: a valid qualified name that is not native. */
bool resource_is_extended(const char *name);
bool resource_is_huge_page(const char *name);
bool resource_is_attachable_volume(const char *name);
/* Any that is counted besides cpu, memory, ephemeral-storage and pods. */
bool resource_is_scalar(const char *name);

#endif
