/* Shared by client.c (lanes, repeats) and pipe.c (curl, libevent). */
#ifndef API_CLIENT_INTERNAL_H
#define API_CLIENT_INTERNAL_H

#include <curl/curl.h>
#include <sys/queue.h>

#include "wire/api/client.h"
#include "base/json_out.h"

struct credentials;

enum call_state {
	CALL_QUEUED,
	CALL_WAITING, /* its timer puts it back into the queue */
	CALL_RUNNING,
};

struct api_call {
	struct api_client *client;
	enum api_lane lane;
	enum call_state state;
	bool cancelled; /* while curl holds it; its callback is no longer
			 * called */
	bool probe;     /* tests its pipe; the answer is dropped */
	bool urgent, low_priority, of_leader;
	bool (*wanted)(void *arg);
	bool reauthorized;
	bool stream_began; /* on_data was called: cannot be repeated */
	bool protobuf;     /* may be the answer's type */
	bool any_type;     /* likewise */
	char *method, *path, *body, *content_type;
	size_t body_len, max_answer;
	int64_t timeout_ms;
	int64_t deadline; /* clock_ms() after which nothing is repeated */
	unsigned failures;
	void (*on_data)(void *arg, const char *bytes, size_t len);
	void (*on_done)(void *arg, const struct api_response *response);
	void *arg;
	TAILQ_ENTRY(api_call) link; /* in the queue, or the pipe's running */

	/* Of the present try. */
	struct pipe *pipe;
	CURL *easy;
	struct curl_slist *headers;
	struct text answer;
	bool too_long; /* the answer; the rest was not read */
	bool is_protobuf;
	bool answered; /* the status line of a 2xx answer has arrived */
	int64_t started, heard; /* clock_ms() of the last arrival */
	bool silent;            /* is ended for it */
	int64_t retry_after_ms;
	int os_error;
	char problem[CURL_ERROR_SIZE];
	struct event *timer; /* while waiting */
};

TAILQ_HEAD(calls, api_call);

/*
 * A curl multi handle: one connection where HTTP/2 is spoken, with the
 * credentials of one generation.
 */
struct pipe {
	struct api_client *client;
	enum api_lane lane;
	CURLM *multi;
	struct event *timer;
	LIST_HEAD(, socket) sockets;
	bool paused; /* until pause, nothing is read */
	struct event *pause;
	int64_t read_us;  /* clock_us() of the last read */
	bool known;       /* the server has said what it speaks */
	bool multiplexed; /* it is HTTP/2 */
	bool single; /* curl may open only one connection; never of watches */
	struct event *quiet; /* see on_quiet() in pipe.c */
	unsigned nprobes;    /* probes since active */
	int64_t active;      /* clock_ms() of the last write or arrival */
	unsigned generation;
	bool broken; /* its streams must fail */
	struct calls running;
	size_t nrunning;
	int64_t heard; /* clock_ms() of the last arrival */
	struct api_call *probe;
	/* PEM texts that the easy handles point to; NULL: none. */
	char *ca, *certificate, *key;
	TAILQ_ENTRY(pipe) link;
};

TAILQ_HEAD(pipes, pipe);

struct lane {
	struct calls queue, low_priority;
	size_t nqueued; /* in both */
	size_t nrunning;
	size_t nstreams;
	struct pipe *pipe;  /* for new calls; NULL: to be made */
	struct pipes pipes; /* that one and those that run out */
};

struct api_client {
	struct event_base *base;
	struct api_config *config;
	struct api_options options;
	char *user_agent;
	struct credentials *credentials;
	struct lane lanes[API_LANES];
	struct calls waiting;
	struct event *pump;  /* starts calls that can run */
	struct event *watch; /* looks after silent watches */
	bool http1;          /* what the last pipe's server spoke */
	unsigned in_curl;    /* curl functions that we are within */
	bool cancelled;      /* some running call is */
	double tokens;
	int64_t tokens_at; /* clock_ms() */
	int64_t asked_ms; /* of the first try since anything arrived; 0: none */
	char *url_base;   /* the prefix of paths */
	char *host;       /* for the header Host, or NULL */
	struct curl_slist *connect_list; /* for tls_server_name, or NULL */
	CURL *spare[32];
	size_t nspare;
};

struct pipe *pipe_new(struct api_client *client, enum api_lane lane);
/* Its calls have been freed. */
void pipe_free(struct pipe *pipe);
/* Passes the call to curl. */
void pipe_start(struct pipe *pipe, struct api_call *call);
/* Takes the call from curl; not from within a curl callback. */
void pipe_stop(struct api_call *call);

/* client.c: curl is through with this call, which pipe_stop() has been called
 * for.  result is a CURLcode. */
void client_finished(struct api_call *call, int result, int status,
    bool unsent);
/* Sends a small request through the pipe, unless one is under way: its answer is an
 * arrival, and the pipe is broken if there is none. */
void client_probe(struct pipe *pipe);
/* Queues a call that was not sent for another pipe; its own gets no more. */
void client_move(struct api_call *call);
/* Runs the pump soon. */
void client_wake(struct api_client *client);

#endif
