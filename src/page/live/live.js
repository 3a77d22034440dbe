/* The daemon's page: its views, and the state of the scheduler. */
import { h } from "./dom.js";
import { say, showLost, showSource, start } from "./frame.js";
import { showDecisions } from "./live-decisions.js";
import { showNode, showNodes } from "./live-nodes.js";
import { showPod } from "./live-pod.js";
import { showPolicy } from "./live-policy.js";
import { showQueue } from "./live-queue.js";
import { sample } from "./live-trend.js";
import { ask } from "./polling.js";

const pollSeconds = 5;

const routes = [
	[/^\/?$/, showQueue, "queue"],
	[/^\/queue$/, showQueue, "queue"],
	[/^\/decisions$/, showDecisions, "decisions"],
	[/^\/nodes$/, showNodes, "nodes"],
	[/^\/node\/(.+)$/, showNode, "nodes"],
	[/^\/pod\/(.+)$/, showPod, "queue"],
	[/^\/policy$/, showPolicy, "policy"],
];

function explain(error) {
	if (error.status === 401)
		return ["The daemon does not know you", "Open the URL that " +
		    "predicatectl web has printed, or give the browser a client " +
		    "certificate."];
	if (error.status === 403)
		return ["You may not see this", error.message];
	if (error.status === 502 || error.status === 504)
		return ["The daemon is out of reach", error.message];
	if (error.status === 0)
		return ["The server does not answer", "It was stopped, or the " +
		    "connection to it is lost. The page goes on as soon as it " +
		    "answers again."];
	return [error.status === 404 ? "Not found" : "This cannot be shown",
	    error.message];
}

function stateOf(status) {
	if (status.leads)
		return status.leaderElection ? "Leader" :
		    "Active, without leader election";
	return "Standing by";
}

let answered = null; /* when the daemon did so the last time */

/* Nothing is known of a daemon that does not answer, least of all that it leads. */
function lose(error) {
	const when = answered?.toLocaleTimeString("en-GB");
	const text = when ? `Last answer ${when}` : "No answer yet";

	document.body.classList.add("stale");
	showSource(text);
	say(h("p", {}, `${text}: what is shown may have changed since. `,
	    explain(error).join(". ")));
}

async function poll() {
	try {
		const status = document.hidden ? null : await ask("status");

		if (status !== null) {
			answered = new Date();
			document.body.classList.remove("stale");
			const text = `${stateOf(status)} · ` +
			    (status.kubernetes ?
				`Kubernetes ${status.kubernetes} · ` : "") +
			    status.version;

			showSource(text);
			if (status.trouble)
				say(h("p", {}, "Nothing is scheduled: ",
				    status.trouble));
			else
				say();
			showLost();
			await sample(status);
		}
	} catch (error) {
		lose(error);
	}
	setTimeout(poll, pollSeconds * 1000);
}

start(routes, "/queue", "/queue", explain);
poll();
