/* One pod: why it waits, decided about now, and the decisions about it. */
import { WindowTable, count, fill, h, localRows, nodeLink, panel, plural } from "./dom.js";
import { decisionTable } from "./live-decisions.js";
import { ask } from "./polling.js";
import { nearer, reason, remedies } from "./unplaced.js";

/* ---- the outcome ---- */

function outcome(d) {
	const fitting = d.nodes.filter((n) => n.fits).length;

	if (d.best.length > 0)
		return h("section", { class: "panel good-panel" },
		    h("h2", {}, "It fits now: ", nodeLink(d.best[0])),
		    h("p", {}, `${count(fitting)} of ` +
			`${plural(d.nodes.length, "node")} fit` +
			(d.best.length > 1 ? `; ${count(d.best.length)} share ` +
			"the best score." : ".")));
	return reason(d);
}

function misses(d) {
	const groups = new Map();

	for (const node of d.nodes)
		if (node.miss)
			groups.set(node.miss, [...groups.get(node.miss) ?? [],
				node.name]);
	return [...groups].sort((a, b) => nearer(a[0], b[0]))
	    .map(([text, names]) =>
		({ text, nodes: names.length, node: names[0] }));
}

function helps(d) {
	return d.best.length > 0 ? null : remedies(misses(d), d.preemption);
}

function nodesOf(d) {
	const table = new WindowTable("Nodes", [
	    { name: "Node", key: (n) => n.name },
	    { name: "Total", class: "num", key: (n) => n.fits ? n.total : null },
	    { name: "Scores", cell: "clip" },
	    { name: "Reasons", cell: "clip",
		key: (n) => n.reasons.join("; ") }], (n) => [nodeLink(n.name),
		n.fits ? h("b", {}, count(n.total ?? 0)) :
		    h("span", { class: "dim" }, "–"),
		n.fits ? Object.entries(n.scores).map(([name, score]) =>
		    `${name} ${score}`).join(", ") : "",
		[n.reasons.join("; "), n.miss ? ` (${n.miss})` : ""]],
	    "No node was looked at");
	const order = (n) => n.fits ? -1e15 - (n.total ?? 0) : n.reasons.length;

	table.set(localRows([...d.nodes].sort((a, b) => order(a) - order(b))));
	return table.box;
}

/* ---- the view ---- */

async function decisionsOf(name) {
	const { decisions } = await ask("decisions");
	const own = decisions.filter((d) => d.pod === name);
	const table = decisionTable("Decisions about the pod",
	    "None of the last 1,000 decisions is about this pod");

	table.set(localRows(own));
	return h("section", {}, h("h2", {}, "Decisions about it"), table.box);
}

export async function showPod(context, name) {
	const box = h("div"), busy = h("span", { class: "dim", role: "status" });

	async function decide() {
		try {
			const d = await ask("explain", { pod: name });

			fill(box, outcome(d), helps(d), d.nodesLeftOut > 0 ?
			    h("p", { class: "dim" },
				`${plural(d.nodesLeftOut, "more node")}.`) : null,
			    nodesOf(d));
		} catch (error) {
			if (error.status !== 404)
				throw error;
			fill(box, panel(null, h("p", {}, "The pod does not wait " +
			    "for a node: it has one, or is gone.")));
		}
	}
	context.title(name);
	await decide();
	return [
		h("div", { class: "head" }, h("h1", { tabindex: "-1" }, name),
		    h("p", {}, busy, " ", h("button", { type: "button",
			onclick: async () => {
				busy.textContent = "";
				try {
					await decide();
					busy.textContent = "Decided again.";
				} catch (error) {
					fill(busy, error.message);
				}
			} }, "Decide again"))),
		box, await decisionsOf(name),
	];
}
