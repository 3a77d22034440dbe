/* The problems of the cluster, the most severe first, with remedies. */
import { askOnce } from "./api.js";
import { amount, count, fact, fill, h, harms, link, meter, panel, percent, plural,
    podLink } from "./dom.js";
import { NodeMap, glyphs, stateText } from "./map.js";
import { problemWords } from "./pods.js";
import { ownerOf, requestOf, wordOf } from "./query.js";

const nodesWith = (q, text, more = {}) => link("/nodes", { ...more, q }, text);

const most = (list, value) => list.reduce((best, x) =>
    best === null || value(x) > value(best) ? x : best, null);

/* ---- the cluster ---- */

const bottleneck = (balance) => most(balance.resources.filter((r) =>
    r.allocatable > 0), (r) => r.requested / r.allocatable);

function facts(cluster, nodes) {
	const { balance } = cluster;
	const full = bottleneck(balance);
	const zone = most(balance.zones, (z) => z.cpu);
	const special = nodes.resources.filter((r) =>
	    !["cpu", "memory", "pods"].includes(r)).slice(0, 3);
	const over = nodes.resources.map((r) => [r, nodes.name.filter((_, i) =>
	    nodes.requested[r][i] > nodes.allocatable[r][i]).length])
	    .filter(([, n]) => n > 0);
	const states = ["not ready", "cordoned"].map((state) => [state,
		nodes.state.filter((bits) => stateText(bits).split(", ")
		    .includes(state)).length]);

	return [h("p", { class: "dim" }, "The cluster now, before pods of the queue are " +
	    "placed:"), h("dl", { class: "facts" },
	    full && fact("Bottleneck", link("/nodes", { by: full.resource,
		order: "utilisation" }, `${percent(full.requested /
		    full.allocatable)} of ${full.resource}`),
		`of ${amount(full.resource, full.allocatable)}`),
	    zone && fact("Fullest zone", zone.zone === "" ?
		percent(zone.cpu) : nodesWith(wordOf("zone", zone.zone),
		    `${zone.zone}, ${percent(zone.cpu)}`), "of cpu"),
	    special.map((r) => nodes.stranded[r].length > 0 && fact(`Stranded ${r.replace(/.*\//, "")}`,
		[`${amount(r, balance.resources.find((b) =>
		    b.resource === r).stranded)} on `,
		nodesWith(wordOf("stranded", r),
		    plural(nodes.stranded[r].length, "node"), { by: r })])),
	    over.map(([r, n]) => fact(`Over-committed by ${r}`,
		nodesWith(`${r}>100%`, plural(n, "node"), { by: r }))),
	    states.map(([state, n]) => n > 0 && fact(`Nodes ${state}`,
		nodesWith(wordOf("state", state), count(n)))),
	    fact("Nodes", link("/nodes", {}, count(cluster.nodes)),
		nodesWith("empty:yes", `${count(balance.emptyNodes)} empty`)),
	    fact("Pods on nodes", link("/pods", { state: "placed" },
		count(cluster.pods.placed))))];
}

/* ---- pods that cannot be placed ---- */

const pending = (q, text, show = "stay") => link("/pending", { show, q }, text);

/* By severity, the worst first. */
const severities = [["Cannot be placed", "bad"], ["Preemption will place it", "good"],
	["Waits for a gate", "dim"]];
const severityOf = ({ cause, action }) => cause === "gate" ? 2 :
    cause === "preemption" || action === "evict" ? 1 : 0;

/* Their owners, the largest first: a Deployment or a Job; without one the pod itself. */
function owners(pods) {
	const found = new Map();

	for (const pod of pods) {
		const name = ownerOf(pod);

		found.set(name, [...found.get(name) ?? [], pod]);
	}
	const list = [...found].sort((a, b) => b[1].length - a[1].length);
	const [first, rest] = [list.slice(0, 3), list.slice(3)];

	return h("p", { class: "dim tried" }, first.map(([name, of], i) => [i > 0 ? ", " : "",
	    of[0].owner === null ? podLink(name) : [pending(wordOf("owner", name),
		name.replace("/", " · ")), ` (${plural(of.length, "pod")})`]]),
	rest.length > 0 ? ` and ${plural(rest.length, "other")}` : null);
}

/* What the pods request against what is free on nodes that take pods: of the resource
 * that is the scarcest for them. */
function demand(pods, nodes) {
	const takes = [...nodes.name.keys()].filter((i) => !(nodes.state[i] & 3));
	const all = nodes.resources.filter((r) => r !== "pods").map((r) => {
		const asked = pods.map((pod) => requestOf(pod, r));
		const free = takes.map((i) => Math.max(0,
		    nodes.allocatable[r][i] - nodes.requested[r][i]));
		const sum = (list) => list.reduce((x, y) => x + y, 0);
		const d = { r, sum: sum(asked), largest: Math.max(...asked),
			free: sum(free), most: Math.max(0, ...free) };

		return { ...d, share: Math.max(d.sum / d.free, d.largest / d.most) };
	}).filter((d) => d.sum > 0);
	const d = most(all, (x) => x.share);

	return d && h("p", { class: "demand" }, `Requested: ${amount(d.r, d.sum)} ${d.r}` +
	    (pods.length > 1 ? `, up to ${amount(d.r, d.largest)} by one pod` : "") +
	    `. Free: ${amount(d.r, d.free)}` + (d.free > 0 ?
		`, at most ${amount(d.r, d.most)} on one node.` : "."),
	meter(d.sum / (d.free || d.sum)));
}

function tried(p) {
	if (p.proven === 0)
		return "(cannot be checked from here)";
	const of = p.proven < p.pods ? `${count(p.proven)} of the ` : "the ";

	return p.pods === 1 ? "(tried: the pod fits then)" :
	    `(tried: any one of ${of}${count(p.pods)} fits then)`;
}

function problemRow(p, pods, nodes) {
	const [name, kind] = severities[severityOf(p)];

	return h("li", {}, h("b", {}, pending(problemWords(p), count(p.pods))),
	    h("div", {}, h("p", {}, h("span", { class: `severity ${kind}` }, name),
		" ", p.text), demand(pods, nodes),
	    p.remedy === "" ? h("p", { class: "dim" }, "No single change helps.") :
		h("p", {}, h("b", {}, "Remedy: "), p.remedy, " ",
		    h("span", { class: p.proven > 0 && !harms.has(p.action) ?
			"good" : "dim" }, tried(p))),
	    owners(pods)));
}

/* Until it is known what helps. */
const reasonRow = (group) => h("li", {},
    h("b", {}, pending(wordOf("reason", group.reason), count(group.pods))),
    h("p", {}, group.reason.replace(/^no node fits: /, "")));

function waiting(reasons, title, box) {
	const stay = reasons.groups.filter((g) => g.reason !== null);
	const n = stay.reduce((sum, g) => sum + g.pods, 0);
	const part = reasons.decided < reasons.total ?
	    ` of the first ${count(reasons.decided)}` : "";

	fill(title, n === 0 ? "No pod lacks a place" :
	    [link("/pending", { show: "stay" }, plural(n, "pod")),
		`${part} cannot be placed`]);
	fill(box, h("p", { class: "dim" }, reasons.total === 0 ? "No pod is pending." :
	    [link("/pending", { show: "all" }, plural(reasons.total, "pod")),
		reasons.total === 1 ? " waits; " : " wait; ",
		pending("status:goes", count(reasons.decided - n), "all"),
		" would be placed in the order of the queue."]),
	n === 0 ? null : [h("p", { class: "dim" }, "Trying what helps…"),
		h("ul", { class: "groups" }, stay.map(reasonRow))]);
	return n;
}

const moreNodes = (m) => [`${plural(m.nodes, "node")} like ${m.like} let ` +
    `${count(m.pods)} of the `, pending("-status:held", plural(m.of, "pod")),
" in that get no node", m.nodes > 1 ?
    `; with ${plural(m.nodes - 1, "node")} ${count(m.fewer)}.` : ".",
...(m.and ?? []).map((k) => ` ${plural(k.nodes, "node")} like ${k.like} let ` +
    `${count(k.pods)} more in.`)];

function remedies({ problems, stays, moreNodes: more, leftOut }, nodes, box) {
	const key = (p) => JSON.stringify([p.cause, p.action, p.subject]);
	const pods = new Map(problems.map((p) => [key(p), []]));

	for (const pod of stays)
		pods.get(key(pod)).push(pod);
	fill(box, box.firstChild, h("p", { class: "dim" }, "Each change is tried by itself.",
	    leftOut > 0 ? [" ", pending("cause:unknown",
		plural(leftOut, "more pod")), " not looked at."] : null),
	more ? h("p", {}, h("b", {}, "More nodes: "), moreNodes(more)) : null,
	h("ul", { class: "groups" }, problems.toSorted((a, b) =>
	    severityOf(a) - severityOf(b)).map((p) =>
	    problemRow(p, pods.get(key(p)), nodes))));
}

/* ---- the map ---- */

function map(nodes, resource) {
	const squares = new NodeMap(`Nodes by ${resource}`, 260);

	squares.set(nodes, nodes.requested, resource, "name");
	return panel(`Nodes by ${resource}, now`, squares.element, squares.legend(),
	    glyphs(nodes, [...nodes.name.keys()]));
}

/* ---- budgets ---- */

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
	const budgets = loading("Loading…");

	context.title("Overview");
	follow(context, askOnce("reasons"), (r) => {
		if (waiting(r, title, reasons) > 0)
			follow(context, askOnce("reasons", { remedies: true }),
			    (all) => remedies(all, nodes, reasons), reasons);
	}, reasons);
	follow(context, askOnce("audit"), (audit) => fill(budgets,
	    audit.blockingBudgets.length === 0 ? h("p", { class: "dim" },
		"No PodDisruptionBudget blocks a drain.") :
	    h("ul", { class: "groups" }, audit.blockingBudgets.map(blocking))),
	budgets);
	return [
		title,
		h("div", { class: "two" },
		    h("div", {}, facts(cluster, nodes), nodes.count > 0 &&
			map(nodes, bottleneck(cluster.balance)?.resource ??
			    nodes.resources[0])),
		    panel("What cannot be placed, and what helps", reasons)),
		panel("Budgets that block drains", budgets,
		    h("p", {}, link("/audit", {}, "Full audit"))),
	];
}
