/* The table of nodes, which can be sorted by each column. */
import { WindowTable, h, heading, listed, meter, nodeLink } from "./dom.js";

const states = ["cordoned", "not ready", "tainted"];

export const stateText = (bits) => states.filter((_, i) => bits & 1 << i).join(", ");

function share(nodes, requested, resource, i) {
	const all = nodes.allocatable[resource][i];

	return all > 0 ? requested[resource][i] / all : null;
}

function usage(nodes, requested, resource, i) {
	const all = nodes.allocatable[resource][i];

	if (!(all > 0))
		return h("span", { class: "dim" }, "–");
	return [`${listed(resource, requested[resource][i])} of ` +
	    listed(resource, all), meter(requested[resource][i] / all)];
}

/* state: nodes, their requested columns, sort, down and text; resort(name) sorts by
 * another column. */
export function nodeTable(state, resort) {
	const { nodes } = state;
	const sortable = (name, text, number) => {
		const sorted = state.sort === name;

		return { class: number ? "num" : undefined,
			order: sorted ? state.down ? "descending" : "ascending" :
			    "none",
			head: h("button", { type: "button",
			    onclick: () => resort(name) },
			    text, sorted ? state.down ? " ↓" : " ↑" : "") };
	};
	const columns = [sortable("name", "Node"), sortable("zone", "Zone"),
	    sortable("state", "State"), ...nodes.resources.map((r) =>
		sortable(r, heading(r), true))];

	return new WindowTable("Nodes", columns, (i) => [
		nodeLink(nodes.name[i]),
		nodes.zones[nodes.zone[i]] || h("span", { class: "dim" }, "–"),
		stateText(nodes.state[i]) || "ready",
		...nodes.resources.map((r) => usage(nodes, state.requested, r, i)),
	], "No node has this name");
}

/* Their places, those whose names have the text. */
export function sortedNodes(state) {
	const { nodes, sort } = state;
	const wanted = state.text.toLowerCase();
	const indexes = [...nodes.name.keys()].filter((i) =>
	    nodes.name[i].toLowerCase().includes(wanted));
	const key = sort === "zone" ? (i) => nodes.zone[i] :
	    sort === "state" ? (i) => nodes.state[i] : sort === "name" ? (i) => i :
	    (i) => share(nodes, state.requested, sort, i);

	/* Nodes without the resource come last, whatever the direction. */
	return indexes.sort((a, b) => {
		const x = key(a), y = key(b);

		if (x === null || y === null)
			return Number(x === null) - Number(y === null) || a - b;
		return (state.down ? y - x : x - y) || a - b;
	});
}
