/* Nodes as squares on a canvas, coloured by utilisation, in groups by zone or label. */
import { h, fill, percent, step, stepNames, amount, plural } from "./dom.js";

/* The part of the resource that is requested of the nodes at these places, by columns
 * as the reply of /nodes has them; null: they have none. */
export function shareOf(nodes, requested, resource, places) {
	const sum = (columns) => places.reduce((n, i) => n + columns[resource][i], 0);
	const all = sum(nodes.allocatable);

	return all > 0 ? sum(requested) / all : null;
}

/* ---- states ---- */

const states = ["cordoned", "not ready", "tainted"];
const marks = ["╱", "✕", "◤"];

export const stateText = (bits) => states.filter((_, i) => bits & 1 << i).join(", ");

/* What the marks on squares mean. */
export function glyphs(nodes, found) {
	const counts = states.map((_, k) =>
	    found.filter((i) => nodes.state[i] & 1 << k).length);

	return h("ul", { class: "legend" }, states.map((name, k) =>
	    counts[k] > 0 ? h("li", {}, h("b", { "aria-hidden": "true" },
		marks[k]), ` ${name}: ${counts[k]}`) : null));
}

/* The same on a canvas, in a square from x, y. */
function mark(context, bits, x, y, side) {
	context.lineWidth = side > 12 ? 2 : 1;
	context.beginPath();
	if (bits & 3) {
		context.moveTo(x + side - 2, y + 2);
		context.lineTo(x + 2, y + side - 2);
	}
	if (bits & 2) {
		context.moveTo(x + 2, y + 2);
		context.lineTo(x + side - 2, y + side - 2);
	}
	context.stroke();
	if (bits & 4) {
		context.beginPath();
		context.moveTo(x, y);
		context.lineTo(x + side * 0.45, y);
		context.lineTo(x, y + side * 0.45);
		context.fill();
	}
}

/* ---- the map ---- */

const mostGroups = 40;

/* The colours of the page's scale, as canvases want them. */
function palette(element, prefix, n) {
	const probe = h("span");
	const colours = [];

	element.append(probe);
	for (let i = 0; i < n; i++) {
		probe.className = `${prefix}${i}`;
		colours.push(getComputedStyle(probe).backgroundColor);
	}
	probe.remove();
	return colours;
}

/* How wide a square is so that all of them fill about this height. */
function cellSize(width, height, n) {
	const size = Math.floor(Math.sqrt(width * height / Math.max(1, n)));

	return Math.max(5, Math.min(26, size));
}

export class NodeMap {
	/* height: about that of the whole map */
	constructor(label, height) {
		this.label = label;
		this.height = height;
		this.box = h("div", { class: "map" });
		this.tip = h("div", { class: "tip", hidden: true,
			"aria-live": "polite" });
		this.element = h("div", {}, this.box);
		this.box.append(this.tip);
		new ResizeObserver(() => this.paint()).observe(this.box);
		for (const media of ["(prefers-color-scheme: dark)", "print"])
			matchMedia(media).addEventListener("change",
			    () => this.paint());
	}

	/* What else than utilisation the colours may show: of(place) is the kind of a
	 * node, by its place in names; the colours are the classes prefix0, prefix1, …
	 * text(place) has lines for its tip, head(places) a line about a group;
	 * open(place), if it is there, is called when a node is chosen.  Nodes of the
	 * kind `dot` have one. */
	kinds = null;

	/* nodes: the reply of /nodes; requested: columns like nodes.requested; found: the
	 * places of those that are shown; groupOf(place) names a node's group, by what
	 * groupBy says.  onopen(name), if it is set, opens a group. */
	set(nodes, requested, resource, order, found = [...nodes.name.keys()],
	    groupOf = (i) => nodes.zones[nodes.zone[i]], groupBy = "zone") {
		this.nodes = nodes;
		this.requested = requested;
		this.resource = resource;
		this.shares = nodes.name.map((_, i) =>
		    shareOf(nodes, requested, resource, [i]) ?? NaN);
		this.kind = this.shares.map((s, i) => this.kinds?.of(i) ?? step(s));
		this.names = this.kinds?.names ?? stepNames;
		this.order = found.filter((i) => this.kinds ||
		    !Number.isNaN(this.shares[i]));
		if (order === "utilisation")
			this.order.sort((a, b) =>
			    this.shares[b] - this.shares[a] || a - b);
		this.group(groupOf, groupBy);
		this.paint();
	}

	group(groupOf, groupBy) {
		const names = new Map();

		for (const i of this.order) {
			const name = groupOf(i);

			if (!names.has(name))
				names.set(name, []);
			names.get(name).push(i);
		}
		this.groups = [...names].map(([name, nodes]) => ({ name, nodes,
			title: name || (groupBy === "nothing" ? "" :
			    `no ${groupBy}`) }));
		if (this.groups.length > mostGroups) {
			this.groups.sort((a, b) => b.nodes.length - a.nodes.length);
			const rest = this.groups.splice(mostGroups);

			this.groups.push({ name: "", nodes: rest.flatMap(
			    (g) => g.nodes), title: `${rest.length} more groups` });
		} else {
			this.groups.sort((a, b) => a.name < b.name ? -1 : 1);
		}
		fill(this.box, this.groups.map((group) => {
			group.canvas = h("canvas", { role: "application",
				tabindex: "0", "aria-roledescription": "map",
				"aria-label": this.describe(group) });
			group.canvas.addEventListener("keydown",
			    (event) => this.type(group, event));
			group.canvas.addEventListener("blur", () => {
				group.cursor = undefined;
				this.tip.hidden = true;
				this.paint();
			});
			group.canvas.addEventListener("mousemove",
			    (event) => this.hover(group, event));
			group.canvas.addEventListener("mouseleave",
			    () => { this.tip.hidden = true; });
			group.canvas.addEventListener("click",
			    (event) => this.open(group, event));
			return [this.groups.length > 1 || group.name ?
			    this.head(group) : null,
			    group.canvas];
		}), this.tip);
	}

	/* What the group has in all, and the way into it. */
	head(group) {
		if (this.kinds)
			return h("p", { class: "zone-name" }, `${group.title} · ` +
			    `${plural(group.nodes.length, "node")} · ` +
			    this.kinds.head(group.nodes));
		const all = group.nodes.reduce((n, i) =>
		    n + this.nodes.allocatable[this.resource][i], 0);

		return h("p", { class: "zone-name" }, this.onopen && group.name ?
		    h("button", { type: "button", class: "quiet", title:
			"These nodes alone", onclick: () =>
			    this.onopen(group.name) }, group.title) :
		    group.title, ` · ${plural(group.nodes.length, "node")} · ` +
		    `${percent(shareOf(this.nodes, this.requested,
			this.resource, group.nodes))} of ` +
		    `${amount(this.resource, all)} ${this.resource}`);
	}

	describe(group) {
		const counts = this.counts(group.nodes);

		return `${this.label}${group.title ? `, ${group.title}` : ""}` +
		    (this.kinds ? ": " : `, ${this.resource}: `) +
		    counts.map((n, i) => n > 0 ?
			`${plural(n, "node")} ${this.names[i]}` : null)
			.filter((t) => t).join(", ") +
		    ". Arrow keys go from node to node, Enter opens one. " +
		    "The table of nodes has the same.";
	}

	counts(nodes = this.order) {
		const counts = this.names.map(() => 0);

		for (const i of nodes)
			counts[this.kind[i]]++;
		return counts;
	}

	legend() {
		const counts = this.counts();

		return h("ul", { class: "legend" }, this.names.map((name, i) =>
		    this.kinds && counts[i] === 0 ? null : h("li", {},
			h("i", { class: `${this.kinds?.prefix ?? "k"}${i}` }),
			`${name}: ${counts[i]}`)));
	}

	paint() {
		const width = this.box.clientWidth;

		if (!this.groups || width === 0)
			return;
		const colours = palette(this.box, this.kinds?.prefix ?? "k",
		    this.names.length);
		const ratio = devicePixelRatio || 1;
		const ink = getComputedStyle(this.box).color;
		const page = getComputedStyle(document.body).backgroundColor;

		this.size = cellSize(width, this.height, this.order.length);
		this.columns = Math.max(1, Math.floor(width / this.size));
		for (const group of this.groups) {
			const lines = Math.ceil(group.nodes.length / this.columns);
			const canvas = group.canvas, gap = this.size > 8 ? 2 : 1;
			const context = canvas.getContext("2d");

			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(lines * this.size * ratio);
			canvas.style.height = `${lines * this.size}px`;
			context.scale(ratio, ratio);
			group.nodes.forEach((node, k) => {
				const kind = this.kind[node];
				const side = this.size - gap;
				const x = (k % this.columns) * this.size;
				const y = Math.floor(k / this.columns) * this.size;

				context.fillStyle = colours[kind];
				context.fillRect(x, y, side, side);
				if (k === group.cursor) {
					context.strokeStyle = ink;
					context.lineWidth = 2;
					context.strokeRect(x + 1, y + 1, side - 2,
					    side - 2);
				}
				const state = this.nodes.state[node];

				if (state > 0 && side > 5) {
					context.fillStyle = context.strokeStyle =
					    kind > 3 && !this.kinds ? page : ink;
					mark(context, state, x, y, side);
				}
				/* More than there is shows without colours, too, and
				 * so does what fits. */
				if (this.kinds ? kind !== this.kinds.dot : kind < 6)
					return;
				context.fillStyle = this.kinds ? page : colours[0];
				context.fillRect(x + side / 3, y + side / 3,
				    side / 3, side / 3);
			});
		}
	}

	at(group, event) {
		const x = Math.floor(event.offsetX / this.size);
		const y = Math.floor(event.offsetY / this.size);

		return x < this.columns ? group.nodes[y * this.columns + x] :
		    undefined;
	}

	hover(group, event) {
		this.point(group, this.at(group, event), event.offsetX,
		    event.offsetY);
	}

	/* Shows the tip about the node at this place of the canvas. */
	point(group, node, x, y) {
		this.tip.hidden = node === undefined;
		if (node === undefined)
			return;
		fill(this.tip, this.text(node));
		this.tip.style.left = `${Math.max(0, Math.min(
		    group.canvas.offsetLeft + x + 14,
		    this.box.clientWidth - this.tip.offsetWidth - 4))}px`;
		this.tip.style.top = `${group.canvas.offsetTop + y + 18}px`;
	}

	type(group, event) {
		const last = group.nodes.length - 1, at = group.cursor ?? -1;
		const to = { ArrowRight: at + 1, ArrowLeft: at - 1,
			ArrowDown: at < 0 ? 0 : at + this.columns,
			ArrowUp: at - this.columns, Home: 0, End: last }[event.key];

		if (event.key === "Enter" && at >= 0)
			this.choose(group.nodes[at]);
		if (to === undefined)
			return;
		event.preventDefault();
		group.cursor = Math.max(0, Math.min(last, to));
		this.paint();
		this.point(group, group.nodes[group.cursor],
		    (group.cursor % this.columns) * this.size,
		    Math.floor(group.cursor / this.columns) * this.size);
	}

	text(node) {
		const lines = [this.nodes.name[node]];

		if (this.nodes.state[node] > 0)
			lines.push(stateText(this.nodes.state[node]));
		lines.push(...this.kinds?.text(node) ?? []);
		for (const resource of this.nodes.resources) {
			const all = this.nodes.allocatable[resource][node];
			const used = this.requested[resource][node];

			if (all > 0)
				lines.push(`${resource}: ${amount(resource, used)}` +
				    ` of ${amount(resource, all)}, ` +
				    percent(used / all));
		}
		return lines.join("\n");
	}

	open(group, event) {
		const node = this.at(group, event);

		if (node !== undefined)
			this.choose(node);
	}

	choose(node) {
		if (this.kinds?.open)
			this.kinds.open(node);
		else
			location.hash = `#/node/${encodeURIComponent(
			    this.nodes.name[node])}`;
	}
}
