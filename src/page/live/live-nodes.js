/* The nodes by utilisation, as the scheduler counts them, assumed pods included. */
import { amount, debounce, fact, fill, h, localRows, percent, panel,
    plural } from "./dom.js";
import { NodeMap } from "./map.js";
import { nodeTable, stateText } from "./node-table.js";
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
	const p = context.parameters;
	const state = { sort: p.get("sort") ?? "name", down: p.get("down") === "1",
		text: p.get("q") ?? "", resource: p.get("by") };
	const summary = h("div"), legend = h("div"), tableBox = h("div");
	const trouble = h("p", { class: "bad", role: "alert" });
	const map = new NodeMap("Nodes by utilisation", 300);
	const choice = h("select", { onchange: (e) => {
		state.resource = e.target.value;
		remember();
		drawMap();
	} });
	let table = null;

	function remember() {
		const values = {};

		if (state.resource !== state.nodes.resources[0])
			values.by = state.resource;
		if (state.sort !== "name")
			values.sort = state.sort;
		if (state.down)
			values.down = "1";
		if (state.text)
			values.q = state.text;
		context.remember(values);
	}
	function drawTable() {
		table = nodeTable(state, { by: state.sort, down: state.down,
			sorted: (name, down) => {
				state.sort = name;
				state.down = down;
				remember();
			} });
		fill(tableBox, table.box);
		setRows();
	}
	function setRows() {
		const wanted = state.text.toLowerCase();

		table?.set(localRows([...state.nodes.name.keys()].filter((i) =>
		    state.nodes.name[i].toLowerCase().includes(wanted))));
	}
	function drawMap() {
		map.set(state.nodes, state.requested, state.resource, "name");
		fill(legend, map.legend());
	}
	function take(rows) {
		const before = state.nodes?.resources.join();
		const nodes = columnsOf(rows);

		state.nodes = nodes;
		state.requested = nodes.requested;
		if (!nodes.resources.includes(state.resource))
			state.resource = nodes.resources[0];
		fill(summary, h("dl", { class: "facts" },
		    fact("Nodes", nodes.count), nodes.resources.slice(0, 5).map(
			(r) => fact(`${r} requested`, percent(
			    sum(nodes.requested[r]) / sum(nodes.allocatable[r])),
			`of ${amount(r, sum(nodes.allocatable[r]))}`))));
		if (nodes.count === 0)
			return;
		if (before !== nodes.resources.join()) {
			fill(choice, nodes.resources.map((r) => h("option",
			    { value: r, selected: r === state.resource }, r)));
			drawTable();
		} else {
			setRows();
		}
		drawMap();
	}
	context.title("Nodes");
	take(await load(context.current));
	follow(context.current, followSeconds,
	    async () => take(await load(context.current)),
	    (error) => fill(trouble, error?.message));
	return [
		h("h1", { tabindex: "-1" }, "Nodes"),
		summary, trouble,
		panel(null, h("div", { class: "bar-controls" },
		    h("label", {}, "Colour by", choice),
		    h("span", { class: "grow" }),
		    h("input", { type: "search", value: state.text,
			"aria-label": "Nodes with this in their names",
			placeholder: "Find a node", oninput: debounce((e) => {
				state.text = e.target.value;
				remember();
				setRows();
			}, 150) })), map.element, legend),
		tableBox,
	];
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
