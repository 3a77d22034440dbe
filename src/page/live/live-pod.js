/* One pod: why it waits, decided about now, and the decisions about it. */
import { WindowTable, count, fill, h, localRows, nodeLink, panel, plural,
    podLink } from "./dom.js";
import { decisionTable } from "./live-decisions.js";
import { ask } from "./polling.js";

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
	return h("section", { class: "panel bad-panel" },
	    h("h2", {}, d.diagnosis ? d.diagnosis.text : "It fits on no node"),
	    d.diagnosis?.remedy ? h("p", {}, h("b", {}, "Remedy: "),
		d.diagnosis.remedy, d.diagnosis.proven ?
		" (decided again with this change: it fits)" : "") : null,
	    h("p", { class: "mono" }, d.message));
}

function misses(d) {
	const groups = new Map();

	for (const node of d.nodes)
		if (node.miss)
			groups.set(node.miss, [...groups.get(node.miss) ?? [],
				node.name]);
	const sorted = [...groups].sort((a, b) => b[1].length - a[1].length);

	return panel("Nearest misses", sorted.length === 0 ?
	    h("p", { class: "dim" }, "Every node is refused by several rules.") :
	    h("ul", { class: "groups" }, sorted.slice(0, 8).map(([text, names]) =>
		h("li", {}, h("b", {}, count(names.length)), h("p", {}, text, " ",
		    h("span", { class: "dim" }, names.length === 1 ? "on " :
			"such as "), nodeLink(names[0]))))));
}

function helps(d) {
	if (d.best.length > 0)
		return null;
	return h("div", { class: "two" }, misses(d),
	    panel("Preemption", d.preemption === null ?
		h("p", { class: "dim" }, "Evicting pods of lower priority does " +
		    "not help.") :
		[h("p", {}, `Evicting ${plural(d.preemption.victims.length,
		    "pod")} makes room on `, nodeLink(d.preemption.node), ":"),
		h("ul", {}, d.preemption.victims.slice(0, 20).map((name) =>
		    h("li", {}, podLink(name))))]));
}

function nodesOf(d) {
	const table = new WindowTable("Nodes", [{ name: "Node" },
	    { name: "Total", class: "num" }, { name: "Scores", cell: "clip" },
	    { name: "Reasons", cell: "clip" }], (n) => [nodeLink(n.name),
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
					busy.textContent = error.message;
				}
			} }, "Decide again"))),
		box, await decisionsOf(name),
	];
}
