/* What a trial changes on each node, in each zone, and how full the nodes are. */
import { amount, h, meter, percent, step, stepNames } from "./dom.js";
import { shareOf } from "./map.js";

const bounds = [-0.25, -0.1, -0.005, 0.005, 0.1, 0.25];
const names = ["over 25 points less", "10 to 25 less", "up to 10 less", "the same",
	"up to 10 more", "10 to 25 more", "over 25 points more"];

/* The classes of nodes of a map; before and after: columns of requests. */
export function differenceKinds(nodes, before, after, resource) {
	const change = (i) => shareOf(nodes, after, resource, [i]) -
	    shareOf(nodes, before, resource, [i]);
	const shares = (places) => [before, after].map((columns) =>
	    percent(shareOf(nodes, columns, resource, places), 1)).join(" → ");

	return { prefix: "d", names, dot: 6,
		of: (i) => bounds.filter((b) => change(i) > b).length,
		head: (places) => `${shares(places)} of ${resource}`,
		text: (i) => nodes.allocatable[resource][i] > 0 ?
		    [`${resource}: ${shares([i])}, ` +
			[before, after].map((columns) => amount(resource,
			    columns[resource][i])).join(" → ")] :
		    [`no ${resource}`] };
}

/* The same of what nodes have left and no pod can use; before and after: replays. */
export function strandedKinds(nodes, before, after, resource) {
	const both = [before, after].map((replay) => ({ ...replay,
		places: new Set(replay.stranded[resource]) }));
	const kind = (i) => both.map(({ places }) => places.has(i) ? "1" : "0").join("");
	const left = ({ places, requested }, i) => amount(resource, places.has(i) ?
	    nodes.allocatable[resource][i] - requested[resource][i] : 0);

	return { prefix: "d", dot: 6, names: ["", "strand it no more", "",
		"strand nothing", "", "strand it as before", "strand it now"],
	of: (i) => ({ "10": 1, "00": 3, "11": 5, "01": 6 })[kind(i)],
	head: (at) => `${both.map(({ places }) => at.filter((i) => places.has(i))
	    .length).join(" → ")} strand ${resource}`,
	text: (i) => [`${resource} stranded: ${both.map((r) => left(r, i))
	    .join(" → ")}`] };
}

/* How many nodes are how full, before and after. */
export function histogram(nodes, before, after, resource) {
	const places = [...nodes.name.keys()].filter((i) =>
	    nodes.allocatable[resource][i] > 0);
	const [old, now] = [before, after].map((columns) => {
		const counts = stepNames.map(() => 0);

		for (const i of places)
			counts[step(shareOf(nodes, columns, resource, [i]))]++;
		return counts;
	});
	const cell = (n) => h("td", { class: "num" }, String(n),
	    meter(n / Math.max(1, places.length), true));

	return h("div", { class: "table short", role: "region", tabindex: "0",
		"aria-label": `Nodes by ${resource}` },
	h("table", { class: "numbers" }, h("caption", { class: "hidden-text" },
	    `How many nodes request how much of their ${resource}`),
	h("thead", {}, h("tr", {}, h("th", { scope: "col" }, `Nodes by ${resource}`),
	    ["Policy in force", "Changed policy"].map((name) =>
		h("th", { scope: "col", class: "num" }, name)))),
	h("tbody", {}, stepNames.map((name, k) => h("tr", {},
	    h("th", { scope: "row" }, name), cell(old[k]), cell(now[k]))))));
}
