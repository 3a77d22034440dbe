/* A pod's own map, why it is not on another node, and what decided between two. */
import { ask, askOnce } from "./api.js";
import { count, fill, h, nodeLink, panel, plural } from "./dom.js";
import { NodeMap } from "./map.js";

/* ---- the map ---- */

const mostRules = 5;

/* The rules that refuse the most nodes have colours of their own. */
function kindsOf(d, rows, nodes, open) {
	const rules = [...d.filters.keys()].filter((i) => d.filters[i].refuses > 0)
	    .sort((a, b) => d.filters[b].refuses - d.filters[a].refuses)
	    .slice(0, mostRules);
	const byName = new Map(rows.map((r) => [r.node, r]));
	const refusing = (r) => [...d.filters.keys()].filter((i) =>
	    /[xX!]/.test(r.verdicts[i]));

	const fits = (i) => byName.get(nodes.name[i])?.fits;

	return { prefix: "c", dot: 0,
	head: (places) => `${count(places.filter(fits).length)} fit`, names: ["fit", ...rules.map((i) =>
		`refused by ${d.filters[i].name}`), "refused by others"],
	of: (i) => {
		const r = byName.get(nodes.name[i]);

		if (!r || r.fits)
			return r ? 0 : rules.length + 1;
		const at = rules.findIndex((rule) => refusing(r).includes(rule));

		return at < 0 ? rules.length + 1 : at + 1;
	},
	text: (i) => {
		const r = byName.get(nodes.name[i]);

		return !r ? [] : r.fits ? [`fits, score ${count(r.total)}`] :
		    [`refused by ${refusing(r).map((k) => d.filters[k].name)
			.join(", ")}`, ...r.reasons];
	}, open: open && ((i) => open(nodes.name[i])) };
}

/* load: of rows; open(name) is called with the node that is chosen, or is missing: its
 * page is shown. */
export async function podMap(d, load, open) {
	const [nodes, rows] = await Promise.all([askOnce("nodes"), load()]);
	const map = new NodeMap("Nodes for this pod", 150);

	map.kinds = kindsOf(d, rows, nodes, open);
	map.set(nodes, nodes.requested, nodes.resources[0], "name");
	return [map.element, map.legend()];
}

/* ---- another node ---- */

function answer(r) {
	const goes = r.chosenThen === r.node;

	if (goes && r.fits && r.chosen === r.node)
		return h("p", {}, "It goes to ", nodeLink(r.node),
		    ": nothing has to change.");
	return [h("p", {}, r.chosen === null ? "It fits no node" : ["It goes to ",
	    nodeLink(r.chosen)], r.fits ? ["; it would also fit on ",
	    nodeLink(r.node), "."] : ["; on ", nodeLink(r.node),
	    r.reasons.length > 0 ? ":" : " it does not fit."]),
	r.error ? h("p", { class: "bad" }, r.error) : null,
	h("ul", {}, r.reasons.map((reason) => h("li", {}, reason))),
	r.changes.length > 0 ? [h("p", {}, "To fit there it needs:"),
		h("ul", {}, r.changes.map((c) => h("li", {}, h("b", {}, c))))] : null,
	h("p", {}, goes ? "Then it goes there." : !r.fitsThen ?
	    "No change was found." : r.weights.length > 0 ?
		["It wins over ", nodeLink(r.chosenThen), " with one of:"] :
		["No single weight would make ", nodeLink(r.node), " win over ",
		    nodeLink(r.chosenThen), "."]),
	goes || !r.fitsThen ? null : h("ul", {}, r.weights.map((w) => h("li", {},
	    `weight of ${w.priority} ${count(w.weight)} instead of ` +
	    count(w.insteadOf))))];
}

/* { element, ask(node) } */
export function whyNot(name, nodes) {
	const result = h("div", { role: "status" });
	const input = h("input", { type: "text", list: "node-names",
		"aria-label": "Node", placeholder: "Name of a node" });

	async function about(node) {
		input.value = node;
		fill(result, h("p", { class: "dim" }, "Trying what would bring it " +
		    "there…"));
		try {
			fill(result, answer(await ask("why-not", { name, node })));
		} catch (error) {
			fill(result, h("p", { class: "bad" }, error.message));
		}
	}
	return { ask: about, element: panel("Why not on another node?",
	    h("form", { class: "row", onsubmit: (event) => {
		    event.preventDefault();
		    about(input.value.trim());
	    } }, input, h("datalist", { id: "node-names" }, nodes.name.map((n) =>
		h("option", { value: n }))), h("button", {}, "Ask"),
	    h("span", { class: "dim" }, "or choose a square of the map")), result) };
}

/* ---- chosen and runner-up ---- */

/* Right of the middle what speaks for the chosen node, left of it what speaks against
 * it; most: the end of the bar. */
function leadBar(points, most) {
	const bar = h("i", { class: points > 0 ? "c0" : "c1" });
	const width = 50 * Math.abs(points) / most;

	bar.style.width = `${width}%`;
	bar.style.left = `${points > 0 ? 50 : 50 - width}%`;
	return h("span", { class: "lead", "aria-hidden": "true" }, bar);
}

const signed = (n) => `${n > 0 ? "+" : n < 0 ? "−" : ""}${count(Math.abs(n))}`;

/*
 * What decided, by the differences: what all nodes get alike decides nothing, however
 * large it is.  rows: nodes that fit, the best first: those that share the best score,
 * and the next one.
 */
export function whyThere(d, rows) {
	const chosen = rows.find((r) => r.node === d.chosen);
	const other = rows[d.best] ?? rows.find((r) => r.node !== d.chosen);

	if (!chosen || !other || d.scores.length === 0)
		return null;
	const leads = d.scores.map((s, i) => ({ name: s.name, weight: s.weight,
		scores: [chosen, other].map((r) => r.scores[i] ?? 0) }))
	    .map((lead) => ({ ...lead, points: lead.weight *
		(lead.scores[0] - lead.scores[1]) }));
	const total = leads.reduce((sum, lead) => sum + lead.points, 0);
	const shown = leads.filter((lead) => lead.points !== 0)
	    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
	const same = leads.length - shown.length;
	const most = Math.max(...shown.map((lead) => Math.abs(lead.points)));
	const best = shown.find((lead) => lead.points > 0);
	const nodes = [nodeLink(chosen.node), nodeLink(other.node)];

	return panel("Why this node", h("p", { id: "because" }, total > 0 ?
	    [nodes[0], ` is ${count(total)} ahead of the next best, `, nodes[1],
		`, above all because ${best.name} gives ${chosen.node} ` +
		`${count(best.points)} more.`] :
	    ["The seed has chosen ", nodes[0], ", because the score of ", nodes[1],
		d.best > 2 ? ` and ${count(d.best - 2)} more is the same.` :
		    " is the same."]),
	h("ul", { class: "groups" }, shown.map((lead) => h("li", {},
	    h("b", {}, signed(lead.points)), h("div", {},
		h("p", {}, lead.name, h("span", { class: "dim" },
		    ` · ${lead.scores.map(count).join(" instead of ")}, ` +
		    `times ${count(lead.weight)}`)),
		leadBar(lead.points, most))))),
	same === 0 ? null : h("p", { class: "dim" }, `${plural(same, "rule")} ` +
	    `${same === 1 ? "gives" : "give"} both the same.`));
}
