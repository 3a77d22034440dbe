/*
 * Runs a kubeconfig's exec program, which prints an ExecCredential
 * (client.authentication.k8s.io/v1 or v1beta1), without waiting for it: its
 * output is read by the event loop.  It gets no standard input, and
 * KUBERNETES_EXEC_INFO in its environment.
 */
#ifndef API_EXEC_PLUGIN_H
#define API_EXEC_PLUGIN_H

struct api_config;
struct event_base;

struct exec_credential {
	char *token;             /* NULL: none */
	char *certificate, *key; /* PEM; both or none */
	int64_t expires; /* seconds since 1970; 0: when it is rejected */
};

void exec_credential_fini(struct exec_credential *credential);

/*
 * Parses the program's output; version is the apiVersion that it must have.
 * You own the result's parts.  Fails when it holds no credential.
 */
int exec_credential_parse(const char *text, const char *version,
    struct exec_credential *out, struct err *err);

/*
 * Starts config->exec.  done is called once, later: with a credential (its
 * parts are done's to keep), or with NULL and the reason, which has the
 * program's last words.  A program that takes longer than timeout_ms is killed.
 * config must outlive the run.
 */
struct exec_run;
struct exec_run *exec_start(struct event_base *base,
    const struct api_config *config, int64_t timeout_ms,
    void (*done)(void *arg, struct exec_credential *credential,
	const char *error),
    void *arg);
/* Kills the program without a callback; accepts NULL. */
void exec_cancel(struct exec_run *run);

#endif
