/* The nodes by utilisation, as the scheduler counts them, assumed pods included. */
import { amount, fact, fill, h, percent, plural } from "./dom.js";
import { stateText } from "./map.js";
import { NodeView } from "./node-view.js";
import { ask, follow } from "./polling.js";

const pageSize = 500, followSeconds = 10;

/* ---- columns ---- */

async function load(alive) {
	const nodes = new Map();
	let total = 1;

	for (let offset = 0; offset < total && alive(); offset += pageSize) {
		const reply = await ask("nodes", { offset, limit: pageSize });

		total = reply.total;
		for (const node of reply.nodes)
			nodes.set(node.name, node);
	}
	return [...nodes.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

const staleMs = 30000;
let kept = null; /* { names, time } */

export async function nodeNames() {
	if (!(Date.now() - kept?.time < staleMs))
		kept = { names: load(() => true).then((nodes) =>
		    nodes.map((n) => n.name)), time: Date.now() };
	return kept.names;
}

/* As the map and the table have them. */
function columnsOf(rows) {
	const zones = [...new Set(rows.map((n) => n.zone))].sort();
	const names = new Set(["cpu", "memory", "pods"]);
	const column = (r, k) => rows.map((n) => n.resources[r]?.[k] ?? 0);

	for (const node of rows)
		for (const name of Object.keys(node.resources))
			names.add(name);
	const resources = [...names].filter((r) =>
	    rows.some((n) => n.resources[r]?.[1] > 0));
	const of = (k) => Object.fromEntries(resources.map((r) =>
	    [r, column(r, k)]));

	return { count: rows.length, resources, zones,
		name: rows.map((n) => n.name),
		zone: rows.map((n) => zones.indexOf(n.zone)),
		state: rows.map((n) => n.state),
		requested: of(0), allocatable: of(1) };
}

const sum = (column) => column.reduce((a, b) => a + b, 0);

/* ---- the view ---- */

export async function showNodes(context) {
	const summary = h("div"), trouble = h("p", { class: "bad", role: "alert" });
	const view = new NodeView(context);

	function take(rows) {
		const nodes = columnsOf(rows);

		fill(summary, h("dl", { class: "facts" },
		    fact("Nodes", nodes.count), nodes.resources.slice(0, 5).map(
			(r) => fact(`${r} requested`, percent(
			    sum(nodes.requested[r]) / sum(nodes.allocatable[r])),
			`of ${amount(r, sum(nodes.allocatable[r]))}`))));
		view.take(nodes, nodes.requested);
	}
	context.title("Nodes");
	take(await load(context.current));
	follow(context.current, followSeconds,
	    async () => take(await load(context.current)),
	    (error) => fill(trouble, error?.message));
	return [h("h1", { tabindex: "-1" }, "Nodes"), summary, trouble, view.box,
		view.tableBox];
}

/* ---- one node ---- */

export async function showNode(context, name) {
	const node = (await load(context.current)).find((n) => n.name === name);

	context.title(name);
	if (!node)
		throw Object.assign(new Error(`Node "${name}" is not in the cluster.`),
		    { status: 404 });
	return [
		h("h1", { tabindex: "-1" }, name),
		h("p", { class: "dim" }, [node.zone && `zone ${node.zone}`,
			stateText(node.state) || "ready",
			plural(node.resources.pods?.[0] ?? 0, "pod")]
		    .filter((t) => t).join(" · ")),
		h("dl", { class: "facts" }, Object.entries(node.resources).map(
		    ([r, [requested, all]]) => fact(`${r} requested`,
			all > 0 ? percent(requested / all) : "–",
			`${amount(r, requested)} of ${amount(r, all)}`))),
		h("p", {}, h("a", { href: `#/decisions?${new URLSearchParams(
		    { q: name })}` }, "Decisions for this node")),
	];
}
