/*
 * Kubernetes quantities: "1500m", "200Mi", "1e3", 2.5.
 *
 * Read as kube-scheduler 1.15 reads them (k8s.io/apimachinery,
 * pkg/api/resource), including its results for numbers that are too big for its
 * integers: those wrap around, become 0 or stop at 2^63-1, and schedulers have
 * placed pods by the result.
 */
#ifndef MODEL_QUANTITY_H
#define MODEL_QUANTITY_H

struct doc_node;

/*
 * The exact amount is sign * (whole + nano / 10^9), rounded away from 0 to
 * whole nanos; whole saturates at 2^128-1 from 10^38 on.  value and milli are
 * the results of Go's Value() and MilliValue().
 */
struct quantity {
	unsigned __int128 whole;
	int64_t value;
	int64_t milli;
	uint32_t nano;
	int8_t sign;   /* -1, 0, 1 */
	bool is_small; /* Go keeps an int64 times 10^scale; if not, a decimal */
	int32_t scale;
};

#define QUANTITY_ZERO ((struct quantity){ 0 })

/*
 * Reads len bytes; the errors are Go's sentences.  Takes time linear in len,
 * for a number of any size.
 */
int quantity_parse(const char *text, size_t len, struct quantity *out,
    struct err *err);

/*
 * A string or a number; white space around the text does not count.  NULL and
 * null are zero.  Errors have the position, and the node's key.
 */
int quantity_from_doc(const struct doc_node *node, struct quantity *out,
    struct err *err);

/* In whole units (bytes, pods), rounded up. */
static inline int64_t
quantity_value(const struct quantity *q)
{
	return q->value;
}

/* In thousandths (milli-CPU), rounded up. */
static inline int64_t
quantity_milli(const struct quantity *q)
{
	return q->milli;
}

static inline int
quantity_sign(const struct quantity *q)
{
	return q->sign;
}

/* Less than, equal to or greater than 0, of the exact amounts. */
int quantity_cmp(const struct quantity *a, const struct quantity *b);

/* The buffer size for the two functions below. */
#define QUANTITY_TEXT 24

/* For people: 1500 is "1500m", 2000 is "2".  Returns buf. */
const char *quantity_write_cpu(char buf[QUANTITY_TEXT], int64_t milli);

/* For people: in the biggest of Ki … Ei that needs no fraction ("200Mi"),
 * otherwise in bytes.  Returns buf. */
const char *quantity_write_bytes(char buf[QUANTITY_TEXT], int64_t bytes);

/* For people: about so many bytes, three digits or so: 127515552Ki is "122Gi",
 * 6710886Ki "6.4Gi".  at_most: rounded down, never above the amount.  Returns
 * buf. */
const char *quantity_write_about(char buf[QUANTITY_TEXT], int64_t bytes,
    bool at_most);

#endif
