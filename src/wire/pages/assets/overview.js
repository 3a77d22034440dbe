/* The problems of the cluster, the most severe first, with remedies. */
import { askOnce } from "./api.js";
import { amount, count, fact, fill, h, harms, link, meter, panel, percent, plural,
    podLink } from "./dom.js";
import { stateText } from "./map.js";
import { problemWords } from "./pods.js";
import { wordOf } from "./query.js";

const nodesWith = (q, text, more = {}) => link("/nodes", { ...more, q }, text);

const most = (list, value) => list.reduce((best, x) =>
    best === null || value(x) > value(best) ? x : best, null);

/* ---- the cluster ---- */

function facts(cluster, nodes) {
	const { balance } = cluster;
	const full = most(balance.resources.filter((r) => r.allocatable > 0),
	    (r) => r.requested / r.allocatable);
	const zone = most(balance.zones, (z) => z.cpu);
	const special = nodes.resources.filter((r) =>
	    !["cpu", "memory", "pods"].includes(r)).slice(0, 3);
	const over = nodes.resources.map((r) => [r, nodes.name.filter((_, i) =>
	    nodes.requested[r][i] > nodes.allocatable[r][i]).length])
	    .filter(([, n]) => n > 0);
	const states = ["not ready", "cordoned"].map((state) => [state,
		nodes.state.filter((bits) => stateText(bits).split(", ")
		    .includes(state)).length]);

	return h("dl", { class: "facts" },
	    full && fact("Bottleneck", link("/nodes", { by: full.resource,
		order: "utilisation" }, `${percent(full.requested /
		    full.allocatable)} of ${full.resource}`),
		`of ${amount(full.resource, full.allocatable)}`),
	    zone && fact("Fullest zone", zone.zone === "" ?
		percent(zone.cpu) : nodesWith(wordOf("zone", zone.zone),
		    `${zone.zone}, ${percent(zone.cpu)}`), "of cpu"),
	    special.map((r) => fact(`Strand ${r.replace(/.*\//, "")}`,
		nodesWith(wordOf("stranded", r),
		    plural(nodes.stranded[r].length, "node"), { by: r }),
		`${amount(r, balance.resources.find((b) =>
		    b.resource === r).stranded)} in all`)),
	    over.map(([r, n]) => fact(`Over-committed by ${r}`,
		nodesWith(`${r}>100%`, plural(n, "node"), { by: r }))),
	    states.map(([state, n]) => n > 0 && fact(`Nodes ${state}`,
		nodesWith(wordOf("state", state), count(n)))),
	    fact("Nodes", link("/nodes", {}, count(cluster.nodes)),
		nodesWith("empty:yes", `${count(balance.emptyNodes)} empty`)),
	    fact("Pods on nodes", link("/pods", { state: "placed" },
		count(cluster.pods.placed))));
}

/* ---- pods that cannot be placed ---- */

const pending = (q, text, show = "stay") => link("/pending", { show, q }, text);

const examples = (names) => h("span", { class: "dim" }, "such as ",
    names.slice(0, 3).map((name) => [podLink(name), " "]));

function reasonRow(group, total) {
	const reason = group.reason.replace(/^no node fits: /, "");

	return h("li", {}, h("b", {}, pending(wordOf("reason", group.reason),
	    count(group.pods))),
	h("div", {}, h("p", {}, reason), h("p", {}, examples(group.examples)),
	    meter(group.pods / total, true)));
}

function tried(p) {
	if (p.proven === 0)
		return "(not tried: it needs what is not there)";
	const of = p.proven < p.pods ? `${count(p.proven)} of the ` : "the ";

	return p.pods === 1 ? "(tried: the pod fits then)" :
	    `(tried: any one of ${of}${count(p.pods)} fits then)`;
}

function problemRow(p) {
	return h("li", {}, h("b", {}, pending(problemWords(p), count(p.pods))),
	    h("div", {}, h("p", {}, p.text),
	    p.remedy === "" ? h("p", { class: "dim" }, "No single change helps.") :
		h("p", {}, h("b", {}, "Remedy: "), p.remedy, " ",
		    h("span", { class: p.proven > 0 && !harms.has(p.action) ?
			"good" : "dim" }, tried(p))),
	    h("p", {}, examples(p.examples))));
}

function waiting(reasons, title, box) {
	const stay = reasons.groups.filter((g) => g.reason !== null);
	const n = stay.reduce((sum, g) => sum + g.pods, 0);
	const part = reasons.decided < reasons.total ?
	    ` of the first ${count(reasons.decided)}` : "";

	fill(title, n === 0 ? "No pod lacks a place" :
	    [link("/pending", { show: "stay" }, plural(n, "pod")),
		`${part} cannot be placed`]);
	fill(box, reasons.total === 0 ? h("p", { class: "dim" },
	    "No pod is pending.") : h("p", {}, link("/pending", { show: "all" },
	    plural(reasons.total, "pod")), reasons.total === 1 ? " waits; " :
		" wait; ", pending("status:goes", count(reasons.decided - n), "all"),
	    " would be placed in the order of the queue."), n === 0 ? null :
	    h("ul", { class: "groups" }, stay.map((g) => reasonRow(g, n))));
}

const moreNodes = (m) => [`${plural(m.nodes, "node")} like ${m.like} let ` +
    `${count(m.pods)} of the `, pending("-status:held", plural(m.of, "pod")),
" in that get no node", m.nodes > 1 ?
    `; with ${plural(m.nodes - 1, "node")} ${count(m.fewer)}.` : "."];

function remedies(reasons, problems) {
	fill(problems, reasons.problems.length === 0 ?
	    h("p", { class: "dim" }, "Nothing has to change.") :
	    [h("p", { class: "dim" }, "Each is tried by itself.",
		reasons.leftOut > 0 ? [" ", pending("cause:unknown",
		    plural(reasons.leftOut, "more pod")), " not looked at."] : null),
	    reasons.moreNodes ? h("p", {}, h("b", {}, "More nodes: "),
		moreNodes(reasons.moreNodes)) : null,
	    h("ul", { class: "groups" }, reasons.problems.map(problemRow))]);
}

const blocking = ({ namespace, name, pods }) => h("li", {}, h("b", {},
    link("/pods", { state: "placed", q: wordOf("budget", `${namespace}/${name}`) },
	count(pods))), h("p", {}, `pods of ${namespace} may not be evicted: the ` +
    "budget ", h("span", { class: "mono" }, name),
" allows no disruption now"));

/* ---- the view ---- */

/* Each part comes when its answer is there. */
function follow(context, answer, show, box) {
	answer.then((value) => context.current() && show(value), (error) =>
	    fill(box, h("p", { class: "bad", role: "alert" }, error.message)));
}

export async function showOverview(context) {
	const [cluster, nodes] = await Promise.all([askOnce("cluster"),
	    askOnce("nodes")]);
	const title = h("h1", { tabindex: "-1" }, "Overview");
	const loading = (text) => h("div", { role: "status" },
	    h("p", { class: "dim" }, text));
	const reasons = loading("Placing the pods that wait…");
	const problems = loading("Trying what helps…");
	const budgets = loading("Loading…");

	context.title("Overview");
	follow(context, askOnce("reasons"), (r) => {
		waiting(r, title, reasons);
		follow(context, askOnce("reasons", { remedies: true }),
		    (all) => remedies(all, problems), problems);
	}, reasons);
	follow(context, askOnce("audit"), (audit) => fill(budgets,
	    audit.blockingBudgets.length === 0 ? h("p", { class: "dim" },
		"No PodDisruptionBudget blocks a drain.") :
	    h("ul", { class: "groups" }, audit.blockingBudgets.map(blocking))),
	budgets);
	return [
		title, facts(cluster, nodes),
		panel("Problems, and what helps", problems),
		h("div", { class: "two" },
		    panel("What cannot be placed, by reason", reasons),
		    panel("Budgets that block drains", budgets,
			h("p", {}, link("/audit", {}, "All that is wrong")))),
	];
}
