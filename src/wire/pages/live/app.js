/* The daemon's page: its views, and the state of the scheduler. */
import { ask } from "./api.js";
import { h } from "./dom.js";
import { say, showLost, showSource, start } from "./frame.js";
import { showDecisions, showPodAndDecisions } from "./live-decisions.js";
import { showDaemon } from "./live-overview.js";
import { showQueue } from "./live-queue.js";
import { sample } from "./live-trend.js";
import { since as ago } from "./polling.js";
import { routes, sources } from "./views.js";

/* That a daemon which does not answer, or a problem, is seen within 5 seconds. */
const pollSeconds = 1, patienceSeconds = 3, sampleSeconds = 5;

const ownRoutes = [
	[/^\/(?:overview)?$/, showDaemon, "overview"],
	[/^\/queue$/, showQueue, "queue"],
	[/^\/decisions$/, showDecisions, "decisions"],
	[/^\/pod\/(.+)$/, showPodAndDecisions, "pods"],
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
		return status.leaderElection ? `Leads: ${status.leader}` :
		    "Active, without leader election";
	return status.leader ? `Stands by: ${status.leader} leads` : "Stands by";
}

/* What is wrong first, the worst first, with what to do. */
function problem({ text, cure, since }, now) {
	return h("p", { class: "problem" }, h("b", {}, text), ` ${cure}`,
	    since ? [" So for ", ago(since, now), "."] : null);
}

let answered = null; /* when the daemon did so the last time */
let sampled = 0;

/* Nothing is known of a daemon that does not answer, least of all that it leads. */
function lose(error) {
	const when = answered?.toLocaleTimeString("en-GB");
	const text = when ? `Last answer ${when}` : "No answer yet";

	document.body.classList.add("stale");
	showSource(text);
	say(h("p", { class: "problem" }, h("b", {}, `${explain(error).join(". ")}.`),
	    ` ${text}: what is shown may have changed since.`));
}

async function poll() {
	try {
		const status = document.hidden ? null : await ask("status", {}, undefined,
		    AbortSignal.timeout(patienceSeconds * 1000));

		if (status !== null) {
			answered = new Date();
			document.body.classList.remove("stale");
			const text = `${status.problems.length > 0 ? "" :
			    "Healthy · "}${stateOf(status)} · ` +
			    (status.kubernetes ?
				`Kubernetes ${status.kubernetes} · ` : "") +
			    status.version;

			showSource(text);
			if (status.problems.length > 0)
				say(...status.problems.map((p) =>
				    problem(p, status.time)));
			else if (status.costlyNamespaces > 0)
				say(h("p", {}, `Pods of costly namespaces (` +
				    `${status.costlyNamespaces}) wait while ` +
				    `others do: see the Events CostlyPods.`));
			else
				say();
			showLost();
			if (answered - sampled >= sampleSeconds * 1000) {
				sampled = answered;
				await sample(status);
			}
		}
	} catch (error) {
		lose(error);
	}
	setTimeout(poll, pollSeconds * 1000);
}

start([...ownRoutes, ...routes], sources, explain);
poll();
