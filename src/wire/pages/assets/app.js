/* The page of predicatectl web: its views, and whether the server and the cluster are
 * as they were. */
import { ask, askOnce, forget } from "./api.js";
import { fill, h } from "./dom.js";
import { say, show, showLost, showSource, start } from "./frame.js";
import { showMaintenance } from "./maintenance.js";
import { showPod } from "./pod.js";
import { trialBody, trialFrom, trialName } from "./trial.js";
import { routes, sources } from "./views.js";
import { showWorkbench } from "./workbench.js";

const pollMs = 3000;

/* By the policy in force, or by one that is tried. */
async function showPodBy(context, name) {
	const trial = await trialFrom(context.parameters);

	return showPod(context, name, trial && { body: trialBody(trial),
		name: trialName(trial) });
}

const ownRoutes = [
	[/^\/pod\/(.+)$/, showPodBy, "pods"],
	[/^\/(drain|defrag|capacity|audit)$/, showMaintenance, "drain"],
	[/^\/workbench$/, showWorkbench, "workbench"],
];

let generation = null; /* of the state in sight */
let answered = null; /* when the server did so the last time */

/* Whose policy and which rules decide: above every number. */
async function namePolicy() {
	const cluster = await askOnce("cluster");
	const box = document.getElementById("policy");
	const rules = `rules of Kubernetes ${cluster.kubernetes}` +
	    (cluster.kubernetesFrom === null ? ", which is assumed: nothing in the " +
		"cluster tells its version (--kubernetes-version)" :
		` (${cluster.kubernetesFrom})`);

	fill(box, cluster.policyFrom === null ?
	    [h("b", {}, "No policy is known. "), "Everything here is decided by " +
		"the default provider of Kubernetes, which may not be what the " +
		"cluster uses: name its policy with --policy or --config; "] :
	    `Policy in force: ${cluster.policyFrom}; `, rules, ".");
	box.className = cluster.policyFrom === null ? "warn-panel" : "dim";
	box.hidden = false;
}

const decidedBy = (view) => async (context, part) => {
	await namePolicy();
	return view(context, part);
};

function explain(error) {
	if (error.status === 401)
		return ["This page needs its token", "Open the URL that " +
		    "predicatectl web has printed. A server that was started " +
		    "again has another one."];
	if (error.status === 0)
		return ["The server does not answer", "predicatectl web was " +
		    "stopped, or the connection to it is lost. The page goes " +
		    "on as soon as it answers again."];
	return [error.status === 404 ? "Not found" : "This cannot be shown",
	    error.message];
}

function showNew() {
	generation = null;
	forget();
	say();
	show();
}

async function poll() {
	try {
		const status = await ask("status");

		answered = new Date();
		if (generation !== null && status.generation !== generation)
			say(h("p", {}, "The cluster or the policy has changed."),
			    h("button", { type: "button", class: "main",
				onclick: showNew }, "Show the new state"));
		else if (status.trouble)
			say(h("p", {}, status.trouble));
		else
			say();
		if (generation === null)
			generation = status.generation;
		showSource(status.source);
		showLost();
	} catch (error) {
		say(h("p", {}, answered && error.status === 0 ?
		    `Last answer ${answered.toLocaleTimeString("en-GB")}. ` : "",
		    explain(error).join(". ")));
	}
	setTimeout(poll, pollMs);
}

const tabs = [["Drain", "#/drain"], ["Defrag", "#/defrag"], ["Capacity", "#/capacity"],
	["Audit", "#/audit"]];

start([...ownRoutes, ...routes].map(([pattern, view, name]) =>
    [pattern, decidedBy(view), name]), [["view", async () => tabs], ...sources], explain);
poll();
