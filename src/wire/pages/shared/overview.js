/* The problems of the cluster, the most severe first, with remedies. */
import { askOnce } from "./api.js";
import { amount, count, fact, fill, h, harms, link, meter, panel, percent, plural,
    podLink, refill } from "./dom.js";
import { has } from "./frame.js";
import { NodeMap, glyphs, stateText } from "./map.js";
import { problemWords } from "./pods.js";
import { follow } from "./polling.js";
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

/* list: what is said of those that stay. */
function waiting(reasons, title, box, list) {
	const stay = reasons.groups.filter((g) => g.reason !== null);
	const n = stay.reduce((sum, g) => sum + g.pods, 0);
	const part = reasons.decided < reasons.total ?
	    ` of the first ${count(reasons.decided)}` : "";

	refill(title, n === 0 ? "No pod lacks a place" :
	    [link("/pending", { show: "stay" }, plural(n, "pod")),
		`${part} cannot be placed`]);
	refill(box, h("p", { class: "dim" }, reasons.total === 0 ? "No pod is pending." :
	    [link("/pending", { show: "all" }, plural(reasons.total, "pod")),
		reasons.total === 1 ? " waits; " : " wait; ",
		pending("status:goes", count(reasons.decided - n), "all"),
		" would be placed in the order of the queue."]),
	n === 0 ? null : list ?? [h("p", { class: "dim" }, "Trying what helps…"),
		h("ul", { class: "groups" }, stay.map(reasonRow))]);
	return n;
}

const moreNodes = (m) => [`${plural(m.nodes, "node")} like ${m.like} let ` +
    `${count(m.pods)} of the `, pending("-status:held", plural(m.of, "pod")),
" in that get no node", m.nodes > 1 ?
    `; with ${plural(m.nodes - 1, "node")} ${count(m.fewer)}.` : ".",
...(m.and ?? []).map((k) => ` ${plural(k.nodes, "node")} like ${k.like} let ` +
    `${count(k.pods)} more in.`)];

function remedies({ problems, stays, moreNodes: more, leftOut }, nodes) {
	const key = (p) => JSON.stringify([p.cause, p.action, p.subject]);
	const pods = new Map(problems.map((p) => [key(p), []]));

	for (const pod of stays)
		pods.get(key(pod)).push(pod);
	return [h("p", { class: "dim" }, "Each change is tried by itself.",
	    leftOut > 0 ? [" ", pending("cause:unknown",
		plural(leftOut, "more pod")), " not looked at."] : null),
	more ? h("p", {}, h("b", {}, "More nodes: "), moreNodes(more)) : null,
	h("ul", { class: "groups" }, problems.toSorted((a, b) =>
	    severityOf(a) - severityOf(b)).map((p) =>
	    problemRow(p, pods.get(key(p)), nodes)))];
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

const followSeconds = 3;

/* Calls draw(values) when they are others than before: what is the same stays, so that
 * its text can be selected. */
function whenNew(draw) {
	let last;

	return (...values) => {
		const now = JSON.stringify(values);

		if (now !== last)
			draw(...values);
		last = now;
	};
}

/* In boxes of their own, as one may fail, or be late: what the cluster has, and the pods
 * that wait. */
class Parts {
	constructor(context) {
		const box = (text) => h("div", { role: "status" },
		    h("p", { class: "dim" }, text));

		this.context = context;
		this.title = h("h1", { tabindex: "-1" }, "Overview");
		this.state = h("div");
		this.reasons = box("Placing the pods that wait…");
		this.budgets = box("Loading…");
		this.trouble = h("p", { class: "bad", role: "alert" });
		this.drawState = whenNew((cluster, nodes) => refill(this.state,
		    facts(cluster, nodes), nodes.count > 0 && map(nodes,
			bottleneck(cluster.balance)?.resource ??
			    nodes.resources[0])));
		this.drawWaiting = whenNew((reasons, nodes) => waiting(reasons,
		    this.title, this.reasons, reasons.problems &&
			remedies(reasons, nodes)));
	}

	async load() {
		const [cluster, nodes] = await Promise.all([askOnce("cluster"),
		    askOnce("nodes")]);

		if (this.context.current())
			this.drawState(cluster, nodes);
		return nodes;
	}

	/* First what is known soon. */
	async loadWaiting(nodes) {
		try {
			if (!this.known)
				this.drawWaiting(await askOnce("reasons"), nodes);
			const all = await askOnce("reasons", { remedies: true });

			this.known = true;
			if (this.context.current())
				this.drawWaiting(all, nodes);
			fill(this.trouble);
		} catch (error) {
			fill(this.trouble, error.message);
		}
	}

	async loadBudgets() {
		try {
			const { blockingBudgets: all } = await askOnce("audit");

			fill(this.budgets, all.length === 0 ? h("p", { class: "dim" },
			    "No PodDisruptionBudget blocks a drain.") :
			    h("ul", { class: "groups" }, all.map(blocking)));
		} catch (error) {
			fill(this.budgets, h("p", { class: "bad", role: "alert" },
			    error.message));
		}
	}
}

/* above, below: what a daemon has beside its cluster. */
export async function showOverview(context, { above, below } = {}) {
	const parts = new Parts(context);

	context.title("Overview");
	parts.loadWaiting(await parts.load());
	if (has("/audit"))
		parts.loadBudgets();
	follow(context.current, followSeconds,
	    async () => parts.loadWaiting(await parts.load()), () => {});
	return [
		parts.title, above,
		h("div", { class: "two" }, parts.state,
		    panel("What cannot be placed, and what helps", parts.reasons,
			parts.trouble)),
		has("/audit") && panel("Budgets that block drains", parts.budgets,
		    h("p", {}, link("/audit", {}, "Full audit"))),
		below,
	];
}
