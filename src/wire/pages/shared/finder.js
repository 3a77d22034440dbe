/* Finds pods, nodes, owners, causes and views by their names, wherever one is. */
import { debounce, fill, h } from "./dom.js";

const most = 5; /* of each kind */

const isIn = (text, part) => text.toLowerCase().includes(part.toLowerCase());

/* Rows [name, address] whose names have the part. */
export const named = (rows, part) => rows.filter(([name]) => isIn(name, part));

export const address = (path, parameters) =>
    `#${path}?${new URLSearchParams(parameters)}`;

/* The controllers of pods, each once, as rows; to(name): the address of one's pods. */
export const ownerRows = (pods, ownerOf, to) => [...new Set(pods.filter((pod) =>
    pod.owner).map(ownerOf))].sort().map((name) => [name, to(name)]);

export const podRows = (pods) => pods.map(({ name }) =>
    [name, `#/pod/${encodeURI(name)}`]);
export const nodeRows = (names) => names.map((name) =>
    [name, `#/node/${encodeURIComponent(name)}`]);

const views = () => [...document.querySelectorAll("header nav a")].map((a) =>
    [a.textContent, a.getAttribute("href")]);

/* sources: [kind, async (part) => rows], the first ones of which are shown; slow ones
 * last, as they move what is below them. */
export class Finder {
	constructor(sources) {
		this.sources = [["view", async () => views()], ...sources];
		this.asked = 0;
		const find = debounce(() => this.find(), 120);

		this.input = h("input", { type: "text", role: "combobox",
			"aria-label": "Find a pod, node, owner, cause or view",
			placeholder: "Pod, node, owner, cause or view",
			"aria-controls": "found", "aria-expanded": "true",
			"aria-autocomplete": "list", oninput: find,
			onkeydown: (event) => this.press(event) });
		this.list = h("ul", { id: "found", role: "listbox",
			"aria-label": "What was found" });
		this.status = h("p", { class: "dim", role: "status" });
		this.box = h("dialog", { id: "finder", "aria-label": "Find" },
		    this.input, this.list, this.status);
		document.body.append(this.box);
	}

	open() {
		if (this.box.open)
			return;
		this.input.value = "";
		this.box.showModal();
		this.find();
	}

	/* Each kind comes when it is there. */
	async find() {
		const part = this.input.value.trim(), mine = ++this.asked;
		const kinds = part === "" ? this.sources.slice(0, 1) : this.sources;
		const found = kinds.map(() => []);
		const troubles = [];
		let left = kinds.length;

		this.chosen = 0;
		await Promise.all(kinds.map(async ([kind, ask], i) => {
			try {
				found[i] = named(await ask(part), part).slice(0, most)
				    .map(([name, to]) => ({ kind, name, to }));
			} catch (error) {
				troubles.push(error.message);
			}
			left--;
			if (mine === this.asked)
				this.show(found.flat(), left > 0 ? "Looking…" :
				    troubles[0] ?? (found.flat().length === 0 ?
					"Nothing has this in its name" : ""));
		}));
	}

	show(rows, status) {
		const to = this.chosen > 0 ? this.rows[this.chosen].to : null;

		this.rows = rows;
		this.chosen = Math.max(0, rows.findIndex((row) => row.to === to));
		fill(this.status, status);
		fill(this.list, rows.map(({ kind, name, to }, i) => h("li", {
			role: "option", id: `found-${i}`, title: name,
			onclick: () => this.go(to) },
		h("span", { class: "dim" }, kind), " ", name)));
		this.list.hidden = rows.length === 0;
		this.mark();
	}

	mark() {
		[...this.list.children].forEach((row, i) => {
			row.setAttribute("aria-selected", String(i === this.chosen));
			if (i === this.chosen)
				row.scrollIntoView({ block: "nearest" });
		});
		this.input.setAttribute("aria-activedescendant",
		    this.rows.length > 0 ? `found-${this.chosen}` : "");
	}

	press(event) {
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];

		if (event.key === "Enter" && this.rows[this.chosen])
			this.go(this.rows[this.chosen].to);
		if (by === undefined && event.key !== "Enter")
			return;
		event.preventDefault();
		if (by !== undefined && this.rows.length > 0) {
			this.chosen = (this.chosen + by + this.rows.length) %
			    this.rows.length;
			this.mark();
		}
	}

	go(to) {
		this.box.close();
		location.hash = to;
	}
}
