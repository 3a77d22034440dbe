/* The overview of a daemon: whether anything is wrong, who leads, the policy in force,
 * and how it has been. */
import { ask } from "./api.js";
import { count, fact, h, link, plural, podLink, refill } from "./dom.js";
import { trend } from "./live-trend.js";
import { showOverview } from "./overview.js";
import { follow, since } from "./polling.js";

const followSeconds = 3;

const sources = { "file": "a file where the daemon runs",
	"configmap": "a ConfigMap",
	"openshift-policy": "the ConfigMap that OpenShift's Scheduler object names",
	"openshift-profile": "the profile of OpenShift's Scheduler object",
	"config": "a KubeSchedulerConfiguration where the daemon runs",
	"provider": "the defaults of a provider" };

/* ---- the state ---- */

function leads(status) {
	if (status.leads)
		return fact("Leads", "this process", status.leaderElection ?
		    status.leader : "without leader election");
	return status.leader ?
	    fact("Leads", status.leader, "this process stands by") :
	    fact("Leads", h("span", { class: "bad" }, "nobody"),
		"this process stands by");
}

/* lost: the daemon does not answer any more. */
function facts(status, lost) {
	const { problems, queue, oldest } = status;
	const waiting = Object.values(queue).reduce((a, b) => a + b, 0);

	if (lost)
		return h("dl", { class: "facts" }, fact("State", "not known",
		    "the daemon does not answer"));
	return h("dl", { class: "facts" },
	    fact("State", problems.length === 0 ?
		h("span", { class: "good" }, "Healthy") :
		h("span", { class: "bad" }, plural(problems.length, "problem"))),
	    leads(status),
	    fact("Pods in the queue", link("/queue", { place: "all" },
		count(waiting))),
	    fact("The oldest waits", oldest ? since(oldest.since, status.time) : "–",
		oldest && podLink(oldest.pod)),
	    fact("Wait over 15 minutes", (status.waitingComplete ? "" :
		"at least ") + count(status.waitingLong)));
}

/* ---- the policy ---- */

const names = (list) => list.filter((r) => r.on).map((r) => r.name).join(", ");

const rules = ({ schedulerName, filters, scores }, several) => [
	several ? h("p", {}, h("b", {}, schedulerName)) : null,
	h("p", {}, h("b", {}, "Scores: "), scores.filter((r) => r.on).map((r) =>
	    `${r.name} × ${count(r.weight)}`).join(", ") || "none"),
	h("p", {}, h("b", {}, "Filters: "), names(filters) || "none")];

/* profiles: their rules, if they are known. */
function policyPanel({ policy, time }, profiles) {
	const head = h("h2", {}, "Policy");

	if (policy === null)
		return h("section", { class: "panel" }, head,
		    h("p", {}, "None is in force yet."));
	return h("section", { class: `panel${policy.refused ? " bad-panel" : ""}` }, head,
	    policy.refused ? [h("p", {}, h("b", {}, "The current policy is " +
		"invalid; the last valid one is used.")),
	    policy.problem ? h("p", { class: "mono" }, policy.problem) : null] :
		null,
	    h("p", {}, `${policy.origin}, ${sources[policy.source]}: ` +
		`${plural(policy.rules, "rule")}, in force for `,
	    since(policy.since, time), "."),
	    profiles.map((p) => rules(p, profiles.length > 1)));
}

/* ---- the view ---- */

export async function showDaemon(context) {
	let status = await ask("status"), profiles = [], of = null;
	let lost = false;
	const summary = h("div"), rules = h("div");
	const charts = trend();

	function draw() {
		refill(summary, facts(status, lost));
		refill(rules, policyPanel(status, profiles));
		charts.draw();
	}
	/* The rules of another policy, when there is one. */
	async function loadRules() {
		const wanted = status.policy?.generation ?? null;

		if (wanted === of)
			return;
		of = wanted;
		try {
			({ profiles } = await ask("policy"));
			draw();
		} catch {
			of = null; /* next time */
		}
	}
	draw();
	loadRules();
	follow(context.current, followSeconds, async () => {
		status = await ask("status");
		loadRules();
		draw();
	}, (error) => {
		if (lost !== (error !== undefined)) {
			lost = !lost;
			draw();
		}
	});
	return showOverview(context, { above: summary, below: [rules,
	    h("section", { class: "panel" }, h("h2", {}, "The last ten minutes"),
		charts.element)] });
}
