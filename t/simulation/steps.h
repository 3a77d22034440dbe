/*
 * A trace of what steps.awk compares with the model (model.pml), with `simulate --steps`:
 * who leads, the state of each pod in each daemon, and which pods the server has bound or
 * no longer has.
 */
#ifndef T_SIMULATION_STEPS_H
#define T_SIMULATION_STEPS_H

struct json_object;

void steps_start(void);
/* The daemon has ended. */
void steps_end(const char *who);
/* The server has another version of a pod, or NULL: none any more. */
void steps_server(struct json_object *before, struct json_object *after);

#endif
