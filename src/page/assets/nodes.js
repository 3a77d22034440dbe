/* The nodes: a map and a table; and one node. */
import { askOnce } from "./api.js";
import { WindowTable, amount, count, debounce, fact, fill, h, localRows, panel,
    percent, plural, podLink, requestColumns, requests } from "./dom.js";
import { NodeMap } from "./map.js";
import { nodeTable, stateText } from "./node-table.js";

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
	const [cluster, nodes] = await Promise.all([askOnce("cluster"),
	    askOnce("nodes")]);
	const p = context.parameters;
	const state = { nodes, requested: nodes.requested,
		resource: nodes.resources.includes(p.get("by")) ? p.get("by") :
		    nodes.resources[0],
		order: p.get("order") === "utilisation" ? "utilisation" : "name",
		placed: p.get("as") === "placed",
		sort: p.get("sort") ?? "name", down: p.get("down") === "1",
		text: p.get("q") ?? "" };

	context.title("Nodes");
	if (nodes.count === 0)
		return [h("h1", { tabindex: "-1" }, "Nodes"),
		    h("p", { class: "panel empty" }, "The cluster has no nodes.")];
	const map = new NodeMap("Nodes by utilisation", 300);
	const legend = h("div"), note = h("p", { class: "dim" });
	const table = nodeTable(state, { by: state.sort, down: state.down,
		sorted: (name, down) => {
			state.sort = name;
			state.down = down;
			remember();
		} });

	function remember() {
		const values = {};

		if (state.resource !== nodes.resources[0])
			values.by = state.resource;
		if (state.order !== "name")
			values.order = state.order;
		if (state.placed)
			values.as = "placed";
		if (state.sort !== "name")
			values.sort = state.sort;
		if (state.down)
			values.down = "1";
		if (state.text)
			values.q = state.text;
		context.remember(values);
	}
	function drawTable() {
		const wanted = state.text.toLowerCase();

		table.set(localRows([...nodes.name.keys()].filter((i) =>
		    nodes.name[i].toLowerCase().includes(wanted))));
	}
	function drawMap() {
		map.set(nodes, state.requested, state.resource, state.order);
		fill(legend, map.legend());
	}
	async function choose() {
		remember();
		state.requested = nodes.requested;
		note.textContent = "";
		if (state.placed) {
			const { replay } = await askOnce("baseline");

			state.requested = replay.requested;
			note.textContent = `All ${plural(replay.pods, "pod")} that ` +
			    "may move, placed again by the policy in force: " +
			    `${count(replay.placed)} placed.`;
		}
		drawMap();
		drawTable();
	}
	const select = (label, value, options, set) => h("label", {}, label,
	    h("select", { onchange: (e) => { set(e.target.value); choose(); } },
		options.map(([v, text]) => h("option",
		    { value: v, selected: v === value }, text))));
	const search = h("input", { type: "search", value: state.text,
		"aria-label": "Nodes with this in their names",
		placeholder: "Find a node", oninput: debounce((e) => {
			state.text = e.target.value;
			remember();
			drawTable();
		}, 120) });

	await choose();
	return [
		h("h1", { tabindex: "-1", class: "hidden-text" }, "Nodes"),
		facts(cluster),
		panel(null, h("div", { class: "bar-controls" },
		    select("Colour by", state.resource,
			nodes.resources.map((r) => [r, r]),
			(v) => { state.resource = v; }),
		    select("Order", state.order, [["name", "name"],
			["utilisation", "utilisation"]],
			(v) => { state.order = v; }),
		    select("Pods", state.placed ? "placed" : "now",
			[["now", "as they are"],
			    ["placed", "all placed again"]],
			(v) => { state.placed = v === "placed"; }),
		    h("span", { class: "grow" }), search),
		note, map.element, legend),
		table.box,
	];
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
			plural(node.count, "pod")].filter((t) => t).join(" · ")))),
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
