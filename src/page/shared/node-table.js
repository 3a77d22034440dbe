/* The table of nodes. */
import { WindowTable, h, heading, listed, meter, nodeLink } from "./dom.js";

const states = ["cordoned", "not ready", "tainted"];

export const stateText = (bits) => states.filter((_, i) => bits & 1 << i).join(", ");

const none = () => h("span", { class: "dim" }, "–");

/* null: the node has none of the resource. */
export function shareOf(nodes, requested, resource, i) {
	const all = nodes.allocatable[resource][i];

	return all > 0 ? requested[resource][i] / all : null;
}

function usage(nodes, requested, resource, i) {
	const share = shareOf(nodes, requested, resource, i);

	return share === null ? none() :
	    [`${listed(resource, requested[resource][i])} of ` +
		listed(resource, nodes.allocatable[resource][i]), meter(share)];
}

/* state: nodes, and their requested columns; how: as WindowTable has it.  Rows are
 * the nodes' places. */
export function nodeTable(state, how) {
	const { nodes } = state;
	const zone = (i) => state.nodes.zones[state.nodes.zone[i]];

	return new WindowTable("Nodes", [
		{ name: "Node", sort: "name", key: (i) => state.nodes.name[i] },
		{ name: "Zone", sort: "zone", key: zone },
		{ name: "State", sort: "state", key: (i) => state.nodes.state[i] },
		...nodes.resources.map((r) => ({ name: heading(r), sort: r,
			class: "num", key: (i) => shareOf(state.nodes,
			    state.requested, r, i) }))], (i) => [
		nodeLink(state.nodes.name[i]), zone(i) || none(),
		stateText(state.nodes.state[i]) || "ready",
		...nodes.resources.map((r) => usage(state.nodes, state.requested,
		    r, i))], "No node is such a one", how);
}
