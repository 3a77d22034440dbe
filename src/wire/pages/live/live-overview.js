/* What is wrong, why pods wait and what helps, at one glance. */
import { count, fact, fill, h, harms, link, meter, nodeLink, panel, plural, podLink,
    refill } from "./dom.js";
import { sources } from "./live-policy.js";
import { trend } from "./live-trend.js";
import { ask, follow, since } from "./polling.js";
import { wordOf } from "./query.js";

const followSeconds = 3, listed = 8, tried = 5, againSeconds = 300;

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
	    fact("Pods that wait", link("/queue", { place: "all" }, count(waiting))),
	    fact("The oldest waits", oldest ? since(oldest.since, status.time) : "–",
		oldest && podLink(oldest.pod)),
	    fact("Wait over 15 minutes", (status.waitingComplete ? "" :
		"at least ") + count(status.waitingLong)),
	    fact("Nodes", link("/nodes", {}, count(status.nodes))));
}

function policy({ policy, time }) {
	if (policy === null)
		return panel("Policy", h("p", {}, "None is in force yet."));
	return h("section", { class: `panel${policy.refused ? " bad-panel" : ""}` },
	    h("h2", {}, "Policy"),
	    policy.refused ? [h("p", {}, h("b", {}, "The current policy is " +
		"invalid; the last valid one is used.")),
	    policy.problem ? h("p", { class: "mono" }, policy.problem) : null] :
		null,
	    h("p", {}, link("/policy", {}, policy.origin), ", ",
		sources[policy.source], `: ${plural(policy.rules, "rule")}, in ` +
		"force for ", since(policy.since, time), "."));
}

/* ---- what helps ---- */

/* By message: pod, that was asked about; what its decision says, or error; when. */
const answers = new Map();

function remedy(pod, { text, remedy: what, change, proven }) {
	const good = proven && !harms.has(change?.action);

	return [h("p", { class: "bad" }, text), h("p", {}, what ?
	    [h("b", {}, "Remedy: "), what, " "] : "No single change helps. ",
	h("span", { class: `tried ${good ? "good" : "dim"}` }, "(tried for ",
	    podLink(pod), what === "" ? ")" : proven ? ": it fits then)" :
		": cannot be checked from here)"))];
}

const calm = (...text) => h("p", { class: "tried good" }, text);

/* of: a reason of the status; expected: its pod is asked about. */
function helps(of, expected) {
	const answer = answers.get(of.message);

	if (of.preempting + of.gated >= of.pods)
		return calm("Nothing has to be done: ", of.gated > 0 ?
		    "they wait for a gate" : "", of.gated > 0 &&
		    of.preempting > 0 ? ", or " : "", of.preempting > 0 ?
		    "they preempt, and wait until pods of lower priority have ended" :
		    "", ".");
	if (!answer)
		return expected && h("p", { class: "dim" }, "Trying what helps…");
	if (answer.error)
		return h("p", { class: "dim" }, answer.error);
	const { pod, node, preemption, diagnosis } = answer;

	if (node)
		return calm("Nothing has to be done: ", podLink(pod), " fits now, on ",
		    nodeLink(node), ".");
	if (preemption)
		return calm("Nothing has to be done: evicting ",
		    plural(preemption.victims.length, "pod"), " of lower priority " +
		    "makes room on ", nodeLink(preemption.node), " for ",
		    podLink(pod), ", and the scheduler does so.");
	return diagnosis ? remedy(pod, diagnosis) :
	    h("p", { class: "dim" }, "What helps is not known.");
}

/* Those whose pods are asked about, the first ones that need it. */
const toAsk = (status) => status.reasons.filter((r) => r.pod !== null &&
    r.preempting + r.gated < r.pods).slice(0, tried);

/* One after the other, as the daemon answers them; again after some minutes. */
async function askAll(status, alive, draw) {
	const wanted = toAsk(status);

	for (const message of answers.keys())
		if (!status.reasons.some((r) => r.message === message))
			answers.delete(message);
	for (const { message, pod } of wanted) {
		const before = answers.get(message);

		if (!alive() || Date.now() - before?.when < 1000 * againSeconds)
			continue;
		try {
			const { best, preemption, diagnosis } =
			    await ask("explain", { pod });

			answers.set(message, { pod, node: best[0], preemption,
				diagnosis, when: Date.now() });
		} catch (error) {
			/* It has a node by now, or is gone: another one next time. */
			if (error.status === 404 || error.status === 0)
				continue;
			answers.set(message, { error: error.message,
				when: Date.now() });
		}
		draw();
	}
}

/* ---- why pods wait ---- */

const causeRow = (of, most, expected) => h("li", {},
    h("b", {}, link("/queue", { place: "all", q: wordOf("reason", of.message) },
	count(of.pods))),
    h("div", {}, h("p", {}, of.message), helps(of, expected),
	of.pod ? h("p", {}, h("span", { class: "dim" }, "such as "),
	    podLink(of.pod)) : null,
	meter(of.pods / most, true)));

const gatedRow = (n, most) => h("li", {},
    h("b", {}, link("/queue", { place: "gated" }, count(n))),
    h("div", {}, h("p", {}, "Held back by a gate or a plugin."),
	calm("Nothing has to be done: they are tried when it lets them go."),
	meter(n / most, true)));

function causes(status) {
	const { reasons, queue } = status;
	const most = Math.max(1, queue.gated, ...reasons.map((r) => r.pods));
	const expected = new Set(toAsk(status));

	if (reasons.length === 0 && queue.gated === 0)
		return h("p", { class: "dim" },
		    "No pod was refused by its last attempt.");
	return [h("p", { class: "dim" }, "The messages of their last attempts" +
	    (status.reasonsComplete && reasons.length <= listed ? "." :
		"; the most frequent ones.")),
	h("ul", { class: "groups" }, reasons.slice(0, listed).map((r) =>
	    causeRow(r, most, expected.has(r))),
	queue.gated > 0 ? gatedRow(queue.gated, most) : null)];
}

/* ---- the view ---- */

export async function showOverview(context) {
	let status = await ask("status");
	let lost = false, asking = false, drawn = "";
	const summary = h("div"), why = h("div"), rules = h("div");
	const charts = trend();

	/* What is the same stays, so that its text can be selected. */
	function drawCauses() {
		const key = JSON.stringify([status.reasons, status.queue.gated,
			status.reasonsComplete, [...answers]]);

		if (key === drawn)
			return;
		drawn = key;
		refill(why, causes(status));
	}
	function draw() {
		refill(summary, facts(status, lost));
		refill(rules, policy(status));
		drawCauses();
		charts.draw();
	}
	async function help() {
		if (asking)
			return;
		asking = true;
		await askAll(status, context.current, drawCauses);
		asking = false;
	}
	context.title("Overview");
	draw();
	help();
	follow(context.current, followSeconds, async () => {
		status = await ask("status");
		help();
		draw();
	}, (error) => {
		if (lost !== (error !== undefined)) {
			lost = !lost;
			draw();
		}
	});
	return [
		h("h1", { tabindex: "-1" }, "Overview"),
		summary,
		panel("Why pods wait", why),
		rules,
		panel("The last ten minutes", charts.element),
	];
}
