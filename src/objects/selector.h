/*
 * Selectors: the labels that an object must have.
 *
 * As in Kubernetes 1.15 (apimachinery pkg/labels and metav1, kubernetes
 * pkg/apis/core/v1/helper).  A selector that breaks Kubernetes' own rules (an
 * unknown operator, an impossible label value) is not an error of its object:
 * it is kept with the message of kube-scheduler for it.  Wrong JSON types are
 * errors of the decoder.  A node that is NULL or null means the field is absent.
 */
#ifndef MODEL_SELECTOR_H
#define MODEL_SELECTOR_H

#include "base/sym.h"

struct arena;
struct decoder;
struct doc_node;
struct labels;

enum selector_op {
	SELECTOR_IN,     /* also equality, with one value */
	SELECTOR_NOT_IN, /* also true of objects without the key */
	SELECTOR_EXISTS,
	SELECTOR_DOES_NOT_EXIST,
	SELECTOR_GT,
	SELECTOR_LT,
};

struct requirement {
	sym key;
	enum selector_op op;
	uint32_t nvalues;
	const sym *values;
	int64_t number; /* of Gt and Lt */
};

/* All requirements must hold; with none it matches everything. */
struct selector {
	bool nothing; /* matches nothing */
	const char
	    *error; /* why it cannot be used (it matches nothing), or NULL */
	/* Of a LabelSelector with an error: the same in the words of 1.36. */
	const char *error_36;
	/* selector_is_too_long(): it matches nothing, and has a few of its labels
	 * only, by which it is found. */
	bool too_long;
	uint32_t n;
	const struct requirement *at;
};

#define SELECTOR_EVERYTHING ((struct selector){ 0 })
#define SELECTOR_NOTHING ((struct selector){ .nothing = true })

/* Whether an earlier value is the same: users may repeat one. */
bool requirement_value_is_repeated(const struct requirement *r, uint32_t i);

bool requirement_matches(const struct requirement *r,
    const struct labels *labels);
/* The same for the key's value, SYM_NONE if it is absent. */
bool requirement_matches_value(const struct requirement *r, sym value);
bool selector_matches(const struct selector *s, const struct labels *labels);

/* The requirement to file the selector by in an index of labels: an In with few
 * values, else any that requires a key; NULL if there is none. */
const struct requirement *selector_anchor(const struct selector *s);

/* A copy that needs only permanent parts of the original. */
struct selector selector_copy(struct arena *arena, const struct selector *s);

/*
 * The intersection of all n, with each requirement once, in their order; it needs
 * only the parts of them that are in their arenas.
 */
struct selector selector_and(struct arena *arena, size_t n,
    const struct selector *const *parts);

/* Whether they say the same, requirement by requirement. */
bool selector_equal(const struct selector *a, const struct selector *b);

/* Whether it matches everything because it has no requirements (Go's
 * Empty()). */
bool selector_is_empty(const struct selector *s);

/*
 * metav1.LabelSelector: absent selects nothing, {} everything; matchLabels and
 * matchExpressions with In, NotIn, Exists, DoesNotExist.
 */
struct selector decode_label_selector(struct decoder *d,
    const struct doc_node *node);

/*
 * Users may write selectors of a megabyte in each of many objects.  One with more
 * requirements and values than this is not read: no pod in use has as many labels.
 */
#define SELECTOR_REQUIREMENTS_MAX 1000

/* Whether a selector of these pairs and expressions (either may be NULL) is too long;
 * *out is then the short form. */
bool selector_is_too_long(struct arena *arena, const struct doc_node *pairs,
    const struct doc_node *expressions, struct selector *out);

/* As decode_label_selector(), or the short form. */
struct selector decode_selector_of_object(struct decoder *d,
    const struct doc_node *node);

/*
 * All pairs must match.  If one of them is not a valid label, the selector
 * matches everything (labels.SelectorFromSet in 1.15 drops its error); _valid
 * takes the pairs as they are (SelectorFromValidatedSet).
 */
struct selector selector_from_set(struct arena *arena,
    const struct labels *labels);
struct selector selector_from_valid_set(struct arena *arena,
    const struct labels *labels);
/* The first of the second's result s, whose requirements it shares. */
struct selector selector_if_valid(struct arena *arena,
    const struct selector *s);

/*
 * An array of node selector requirements (matchExpressions): all six
 * operators; absent or empty selects nothing.
 */
struct selector decode_node_requirements(struct decoder *d,
    const struct doc_node *node);

/*
 * matchLabelExpressions of a StorageClass's allowedTopologies: an array of
 * {key, values}, each meaning In; absent or empty selects nothing.
 */
struct selector decode_topology(struct decoder *d, const struct doc_node *node);

/*
 * A term of a node selector: both parts must match, but a part without
 * requirements does not count, and a term with neither matches nothing.
 */
struct node_selector_term {
	bool has_labels;        /* matchExpressions is not empty */
	bool has_fields;        /* matchFields is not empty */
	struct selector labels; /* nothing when it is */
	struct selector
	    fields; /* keys are not validated; In, NotIn, one value */
	/* Whether matchFields has metadata.name In: then the names that are in
	 * all such lists as they are written, whether they can be used or not. */
	bool named;
	uint32_t nnames;
	const sym *names;
};

/* One of the terms must match. */
struct node_selector {
	uint32_t n;
	const struct node_selector_term *at;
};

/*
 * node_name is the field metadata.name; SYM_NONE when the node is matched
 * without fields, as for the node affinity of a PersistentVolume.  A field that
 * is not there counts as "".  Selectors with an error match nothing.
 */
bool field_matches(const struct requirement *r, sym node_name);
/* Whether all of a node selector's requirements about fields hold. */
bool fields_match(const struct selector *s, sym node_name);
bool node_selector_term_matches(const struct node_selector_term *term,
    const struct labels *node_labels, sym node_name);
bool node_selector_matches(const struct node_selector *s,
    const struct labels *node_labels, sym node_name);

/* The same for a node without fields: they count as matched (the node affinity of
 * a PersistentVolume, from 1.20 on). */
bool node_selector_matches_labels(const struct node_selector *s,
    const struct labels *node_labels);

struct node_selector_term decode_node_term(struct decoder *d,
    const struct doc_node *node);

/*
 * All that is wrong with a term that has been decoded, as kube-scheduler 1.36 lists
 * it: "matchExpressions[0].key: Invalid value: …"; *n problems.  places, unless it is
 * NULL, are the nodes with these problems.
 */
const char *const *node_selector_term_problems(struct arena *arena,
    const struct doc_node *term, uint32_t *n,
    const struct doc_node *const **places);

/* strconv.ParseInt(text, 10, 64). */
bool selector_number(const char *text, int64_t *out);

/* As selector_copy(). */
struct node_selector node_selector_copy(struct arena *arena,
    const struct node_selector *s);

/* {nodeSelectorTerms: […]} */
struct node_selector decode_node_selector(struct decoder *d,
    const struct doc_node *node);

#endif
