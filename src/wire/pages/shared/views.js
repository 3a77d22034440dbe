/* The views of a cluster that both pages have, and what their finder finds. */
import { ask, askOnce } from "./api.js";
import { address, nodeRows, ownerRows, podRows } from "./finder.js";
import { showNode, showNodes } from "./nodes.js";
import { showOverview } from "./overview.js";
import { showPod } from "./pod.js";
import { problemWords, showPending, showPods } from "./pods.js";
import { ownerOf, wordOf } from "./query.js";

/* The first one that matches is shown, so that a page may have its own before these. */
export const routes = [
	[/^\/(?:overview)?$/, showOverview, "overview"],
	[/^\/nodes$/, showNodes, "nodes"],
	[/^\/node\/(.+)$/, showNode, "nodes"],
	[/^\/pending$/, showPending, "pending"],
	[/^\/pods$/, showPods, "pods"],
	[/^\/pod\/(.+)$/, showPod, "pods"],
];

let asked; /* the pods with a part in their names: [part, reply] */

/* The names of pods begin with those of their owners. */
async function podsWith(part) {
	const q = part.split("/").at(-1);

	if (asked?.[0] !== q)
		asked = [q, ask("pods", { q, limit: 1000 })];
	return (await asked[1]).pods;
}

export const sources = [
	["node", async () => nodeRows((await askOnce("nodes")).name)],
	["owner", async (part) => ownerRows(await podsWith(part), ownerOf,
	    (name) => address("/pods", { q: wordOf("owner", name) }))],
	["pod", async (part) => podRows(await podsWith(part))],
	["cause", async () => (await askOnce("reasons", { remedies: true })).problems
	    .map((p) => [p.text, address("/pending",
		{ show: "stay", q: problemWords(p) })])]];
