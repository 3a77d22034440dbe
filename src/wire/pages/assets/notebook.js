/* Trials that are kept under names, side by side; and the lines that a text changes. */
import { count, fill, h, percent } from "./dom.js";

const key = "predicated-variants", mostKept = 12;

const kept = () => JSON.parse(localStorage.getItem(key) ?? "[]");
const store = (list) => localStorage.setItem(key, JSON.stringify(list));

/* A, B, …: the first letter that is free. */
function nextName(list) {
	const used = new Set(list.map((v) => v.name));

	return [..."ABCDEFGHIJKLMNOP"].find((c) => !used.has(c)) ?? "Z";
}

/* Empty nodes to the right, evenness upwards. */
function scatter(list) {
	const most = Math.max(...list.map((v) => v.uneven), 0.001);

	return h("div", { class: "scatter", role: "img", "aria-label":
	    "Packing against spread; the table has the same" },
	h("span", { class: "dim" }, "↑ even"), h("span", { class: "dim" },
	    "empty nodes →"), list.map((v) => {
		    const dot = h("b", {}, v.name);

		    dot.style.left = `${4 + 88 * v.empty / Math.max(1, v.nodes)}%`;
		    dot.style.bottom = `${8 + 76 * (1 - v.uneven / most)}%`;
		    return dot;
	    }));
}

/* What is kept of a replay. */
const numbersOf = ({ balance, placed }) => ({ placed, empty: balance.emptyNodes,
	nodes: balance.nodes, uneven: balance.resources[0].cv,
	full: balance.resources[0].max });

/* The panel of variants.  now() gives the trial that is shown: { query, replay,
 * moves }, or null. */
export class Notebook {
	constructor(now) {
		this.now = now;
		this.list = h("div");
		this.element = h("section", { class: "panel" },
		    h("h2", {}, "Variants"), this.list,
		    h("button", { type: "button", onclick: () => this.keep() },
			"Keep this one"));
		this.draw();
	}

	keep() {
		const trial = this.now();

		if (trial !== null)
			this.add(trial);
	}

	/* moves undefined: not known; note: where it comes from.  Returns its name. */
	add({ query, replay, moves, note }) {
		const list = kept(), name = nextName(list);

		list.push({ name, query, moves, note, ...numbersOf(replay) });
		store(list.slice(-mostKept));
		this.draw();
		return name;
	}

	/* The full answer about a trial: it replaces an estimate that was kept.  What
	 * has its numbers from elsewhere keeps these. */
	settle(query, replay, moves) {
		store(kept().map((v) => v.query === query && !v.note ?
		    { ...v, moves, ...numbersOf(replay) } : v));
		this.draw();
	}

	draw() {
		const list = kept();

		fill(this.list, list.length === 0 ? h("p", { class: "dim" },
		    "Kept trials are listed here, to be compared and opened " +
		    "again.") : [this.table(list), scatter(list)]);
	}

	table(list) {
		const cell = (text) => h("td", { class: "num" }, text);

		return h("div", { class: "table short", role: "region",
			tabindex: "0", "aria-label": "Variants" },
		h("table", { class: "numbers" }, h("thead", {}, h("tr", {},
		    ["Variant", "Placed", "Moves", "Empty nodes", "Fullest, cpu",
			"Imbalance, cpu", "Remove"].map((name, i) => h("th",
			{ scope: "col", class: i > 0 ? "num" : undefined }, name)))),
		h("tbody", {}, list.map((v) => h("tr", {}, h("th", { scope: "row" },
		    h("a", { href: `#/workbench?${v.query}` }, v.name),
		    v.note ? h("span", { class: "dim" }, ` ${v.note}`) : null),
		cell(count(v.placed)), cell(v.moves === undefined ? "–" :
		    count(v.moves)), cell(count(v.empty)), cell(percent(v.full)),
		cell(v.uneven.toFixed(3)), cell(h("button", { type: "button",
			class: "quiet", "aria-label": `Remove ${v.name}`,
			onclick: () => {
				store(kept().filter((o) => o.name !== v.name));
				this.draw();
			} }, "✕")))))));
	}
}

/* ---- lines ---- */

const mostLines = 2000, context = 2;

/* Those of both texts in order: [sign, line], sign "-" old, "+" new, " " both.  White
 * space and commas at the end are ignored: the server formats a changed text again. */
function compare(a, b) {
	const [p, q] = [a, b].map((lines) => lines.map((line) =>
	    line.replace(/\s+|,\s*$/g, "")));
	const lengths = Array.from({ length: a.length + 1 },
	    () => new Uint16Array(b.length + 1));
	const lines = [];
	let i = 0, j = 0;

	for (let x = a.length - 1; x >= 0; x--)
		for (let y = b.length - 1; y >= 0; y--)
			lengths[x][y] = p[x] === q[y] ? 1 + lengths[x + 1][y + 1] :
			    Math.max(lengths[x + 1][y], lengths[x][y + 1]);
	while (i < a.length || j < b.length)
		if (i < a.length && j < b.length && p[i] === q[j]) {
			lines.push([" ", a[i++]]);
			j++;
		} else if (i < a.length && (j === b.length ||
		    lengths[i + 1][j] >= lengths[i][j + 1])) {
			lines.push(["-", a[i++]]);
		} else {
			lines.push(["+", b[j++]]);
		}
	return lines;
}

/* What a text changes of another, as lines with some around them; null: nothing. */
export function textDiff(before, after) {
	const [a, b] = [before, after].map((t) => t.split("\n").slice(0, mostLines));
	const lines = compare(a, b);
	const near = (i) => lines.slice(Math.max(0, i - context), i + context + 1)
	    .some(([sign]) => sign !== " ");
	const shown = lines.filter((_, i) => near(i));
	const kinds = { "-": "bad", "+": "good" };

	return shown.length === 0 ? null : h("pre", { class: "diff", tabindex: "0",
	    role: "region", "aria-label": "What differs from the policy in force" },
	shown.map(([sign, line]) => h("span", { class: kinds[sign] },
	    `${sign} ${line}\n`)));
}
