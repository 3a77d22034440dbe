/* The nodes: a map and a table; and one node. */
import { askOnce } from "./api.js";
import { WindowTable, amount, count, fact, fill, h, link, localRows, panel, percent,
    plural, podLink, requestColumns, requests } from "./dom.js";
import { has } from "./frame.js";
import { stateText } from "./map.js";
import { NodeView } from "./node-view.js";
import { follow } from "./polling.js";

const followSeconds = 10;

/* ---- facts ---- */

function facts(cluster) {
	const balance = cluster.balance;
	const resources = balance.resources.filter((r) => r.allocatable > 0);

	return h("dl", { class: "facts" },
	    fact("Nodes", count(cluster.nodes), `${count(balance.emptyNodes)} empty`),
	    fact("Pods on nodes", count(cluster.pods.placed)),
	    fact("Pending pods", count(cluster.pods.pending),
		cluster.pods.leftOut > 0 ?
		`${cluster.pods.leftOut} cannot be decoded` : null),
	    resources.slice(0, 5).map((r) => fact(`${r.resource} requested`,
		percent(r.requested / r.allocatable),
		`of ${amount(r.resource, r.allocatable)}`)));
}

/* ---- the view ---- */

export async function showNodes(context) {
	let placed = context.parameters.get("as") === "placed", nodes;
	const note = h("p", { class: "dim" }), summary = h("div");
	const trouble = h("p", { class: "bad", role: "alert" });
	const view = new NodeView(context, { labels: () => askOnce("labels"),
		more: has("/workbench") && h("label", {}, "Pods", h("select", { onchange: (e) => {
			placed = e.target.value === "placed";
			choose().then(() => view.remember());
		} }, [["now", "as they are"], ["placed", "all placed again"]].map(
			([value, text]) => h("option", { value,
			    selected: placed === (value === "placed") }, text)))) });

	async function load() {
		const [cluster, all] = await Promise.all([askOnce("cluster"),
		    askOnce("nodes")]);

		nodes = all;
		fill(summary, facts(cluster));
		if (nodes.count > 0)
			await choose();
	}
	async function choose() {
		note.textContent = "";
		if (!placed) {
			view.take(nodes, nodes.requested);
			return;
		}
		const { replay } = await askOnce("baseline");

		note.textContent = `All ${plural(replay.pods, "pod")} that may ` +
		    "move, placed again by the policy in force: " +
		    `${count(replay.placed)} placed.`;
		view.take(nodes, replay.requested);
	}
	view.more = () => ({ as: [placed ? "placed" : "", ""] });
	context.title("Nodes");
	await load();
	follow(context.current, followSeconds, load,
	    (error) => fill(trouble, error?.message));
	if (nodes.count === 0)
		return [h("h1", { tabindex: "-1" }, "Nodes"),
		    h("p", { class: "panel empty" }, "The cluster has no nodes.")];
	return [h("h1", { tabindex: "-1", class: "hidden-text" }, "Nodes"),
		summary, trouble, note, view.box, view.tableBox];
}

/* ---- one node ---- */

export async function showNode(context, name) {
	const node = await askOnce("node", { name });
	const pairs = (object) => Object.entries(object).map(([k, v]) =>
	    h("li", { class: "mono" }, v === "" ? k : `${k}=${v}`));
	const pods = new WindowTable("Pods of the node", [
		{ name: "Pod", key: (pod) => pod.name },
		{ name: "Priority", class: "num", key: (pod) => pod.priority },
		...requestColumns], (pod) => [podLink(pod.name),
		count(pod.priority), ...requests(pod)],
	    "No pod is on this node");

	context.title(name);
	pods.set(localRows(node.pods));
	return [
		h("div", { class: "head" }, h("div", {},
		    h("h1", { tabindex: "-1" }, name),
		    h("p", { class: "dim" }, [node.zone && `zone ${node.zone}`,
			stateText(node.state) || "ready",
			plural(node.count, "pod")].filter((t) => t).join(" · "))),
		    h("p", {}, has("/drain") ? link("/drain", { node: name },
			"Drain it") : link("/decisions", { q: `node:${name}` },
			"Decisions for this node"))),
		h("dl", { class: "facts" }, node.resources.map((r) =>
		    fact(`${r.resource} requested`, r.allocatable > 0 ?
			percent(r.requested / r.allocatable) : "–",
			`${amount(r.resource, r.requested)} of ` +
			amount(r.resource, r.allocatable)))),
		h("div", { class: "two" },
		    panel("Labels", h("ul", { class: "groups-plain" },
			pairs(node.labels))),
		    panel("Taints and conditions", h("ul", {
			class: "groups-plain" },
			node.taints.map((t) => h("li", { class: "mono" }, t)),
			pairs(node.conditions)))),
		node.count > node.pods.length ? h("p", { class: "dim" },
		    `The first ${count(node.pods.length)} of its pods.`) : null,
		pods.box,
	];
}
