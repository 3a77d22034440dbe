/* The shares of namespaces in the scheduler's time, "NAMESPACE=N,…", "*" for those
 * that are not named (--namespace-weights). */
#ifndef MODEL_NAMESPACE_WEIGHTS_H
#define MODEL_NAMESPACE_WEIGHTS_H

#define NAMESPACE_WEIGHT_MAX 1000

/* 0 if every N is from 1 to NAMESPACE_WEIGHT_MAX, or the text is empty. */
int namespace_weights_check(const char *text, struct err *err);

/* Of a text that was checked: the last that is given; 1 for others. */
uint32_t namespace_weight(const char *text, const char *namespace);

#endif
