/* The nodes as a map and a table that show the same ones. */
import { WindowTable, count, fill, h, heading, listed, localRows, meter, nodeLink, panel,
    plural } from "./dom.js";
import { NodeMap, glyphs, shareOf, stateText } from "./map.js";
import { QueryBox, wordOf } from "./query.js";

const none = () => h("span", { class: "dim" }, "–");

export class NodeView {
	/* label: what the table is about; labels() resolves to { labels, taints } by
	 * node, or is missing; more: further controls. */
	constructor(context, { labels, more = [] } = {}) {
		const p = context.parameters;

		this.context = context;
		this.loadLabels = labels;
		this.by = p.get("by");
		this.order = p.get("order") ?? "name";
		this.groupBy = p.get("group") ?? "zone";
		this.sort = p.get("sort") ?? "name";
		this.down = p.get("down") === "1";
		this.map = new NodeMap("Nodes by utilisation", 300);
		this.map.onopen = (group) => this.query.add(
		    this.groupBy === "zone" || this.groupBy === "state" ?
			wordOf(this.groupBy, group) :
			wordOf("label", `${this.groupBy}=${group}`));
		this.legend = h("div");
		this.tableBox = h("div");
		this.choices = {};
		this.box = panel(null, h("div", { class: "bar-controls" },
		    this.select("by", "Colour by"), this.select("order", "Order"),
		    this.select("groupBy", "Group by"), more),
		    this.map.element, this.legend);
	}

	select(key, name) {
		this.choices[key] = h("select", { onchange: (e) => {
			this[key] = e.target.value;
			this.draw();
		} });
		return h("label", {}, name, this.choices[key]);
	}

	options() {
		const labels = new Set((this.labels?.labels ?? []).flatMap(
		    (l) => Object.keys(l)));
		const lists = { by: this.nodes.resources,
			order: ["name", "utilisation"],
			groupBy: ["zone", "state", "nothing", ...[...labels].sort()] };

		if (!lists.by.includes(this.by))
			this.by = lists.by[0];
		for (const [key, list] of Object.entries(lists)) {
			const text = list.join();

			if (this.choices[key].dataset.list === text)
				continue;
			this.choices[key].dataset.list = text;
			fill(this.choices[key], list.map((v) => h("option",
			    { value: v, selected: v === this[key] }, v)));
		}
	}

	/* What can be asked of a node, which is its place. */
	fields() {
		const { nodes } = this;
		const fields = {
			name: { text: (i) => nodes.name[i] },
			zone: { text: (i) => nodes.zones[nodes.zone[i]] },
			state: { text: (i) => stateText(nodes.state[i]) || "ready",
				test: (i, value) => (stateText(nodes.state[i]) ||
				    "ready").split(", ").includes(
				    value.toLowerCase()) },
		};

		if (this.loadLabels)
			Object.assign(fields, this.labelFields());
		if (nodes.stranded)
			fields.stranded = { test: (i, value) =>
			    Object.keys(nodes.stranded).some((r) =>
				(r === value || r.endsWith(`/${value}`)) &&
				nodes.stranded[r].includes(i)) };
		if (nodes.empty)
			fields.empty = { text: (i) =>
			    nodes.empty.includes(i) ? "yes" : "no" };
		for (const r of nodes.resources) {
			const scale = r === "cpu" ? 1000 : 1;
			const all = (i) => nodes.allocatable[r][i];

			fields[r] = { scale, number: all, share: (i) =>
			    shareOf(nodes, this.requested, r, [i]) ??
				(this.requested[r][i] > 0 ? Infinity : null) };
			fields[`${r}.free`] = { scale, number: (i) => all(i) > 0 ?
			    all(i) - this.requested[r][i] : null };
		}
		return fields;
	}

	labelFields() {
		const known = () => this.labels;

		return { taint: { text: (i) => known()?.taints[i] },
			label: { test: (i, value) => {
				const [key, wanted] = value.split(/=(.*)/s);
				const have = known()?.labels[i]?.[key];

				return have !== undefined && (wanted === undefined ||
				    have === wanted);
			} } };
	}

	table() {
		const zone = (i) => this.nodes.zones[this.nodes.zone[i]];
		const share = (r, i) => shareOf(this.nodes, this.requested, r, [i]);
		const usage = (r, i) => share(r, i) === null ? none() :
		    [`${listed(r, this.requested[r][i])} of ` +
			listed(r, this.nodes.allocatable[r][i]), meter(share(r, i))];
		const { resources } = this.nodes;

		return new WindowTable("Nodes", [
			{ name: "Node", sort: "name", key: (i) => this.nodes.name[i] },
			{ name: "Zone", sort: "zone", key: zone },
			{ name: "State", sort: "state",
				key: (i) => this.nodes.state[i] },
			...resources.map((r) => ({ name: heading(r), sort: r,
				class: "num", key: (i) => share(r, i) }))], (i) => [
			nodeLink(this.nodes.name[i]), zone(i) || none(),
			stateText(this.nodes.state[i]) || "ready",
			...resources.map((r) => usage(r, i))],
		"No node matches", { by: this.sort, down: this.down,
			sorted: (name, down) => {
				this.sort = name;
				this.down = down;
				this.remember();
			} });
	}

	remember() {
		const values = { by: [this.by, this.nodes.resources[0]],
			order: [this.order, "name"], group: [this.groupBy, "zone"],
			sort: [this.sort, "name"],
			down: [this.down ? "1" : "", ""],
			q: [this.query.input.value, ""], ...this.more?.() };

		this.context.remember(Object.entries(values).filter(
		    ([, [value, usual]]) => value !== usual).map(
		    ([key, [value]]) => [key, value]));
	}

	/* nodes: columns as the reply of /nodes has them; requested: such columns */
	take(nodes, requested) {
		const before = this.nodes?.resources.join();
		const names = this.nodes?.name.join();

		this.nodes = nodes;
		this.requested = requested;
		if (!this.query) {
			this.query = new QueryBox("nodes",
			    "zone:1b taint:db gpu>0 cpu<20%",
			    this.context.parameters.get("q") ?? "",
			    () => this.fields(), () => this.draw());
			this.box.firstChild.prepend(this.query.element);
		}
		/* They are by place. */
		if (names !== nodes.name.join()) {
			this.labels = undefined;
			this.loadLabels?.().then((labels) => {
				this.labels = labels;
				if (this.context.current())
					this.draw();
			}, () => {});
		}
		this.query.read();
		this.options();
		if (before !== nodes.resources.join()) {
			this.list = this.table();
			fill(this.tableBox, this.list.box);
		}
		this.draw(false);
	}

	groupName(i) {
		return this.groupBy === "zone" ? this.nodes.zones[this.nodes.zone[i]] :
		    this.groupBy === "state" ? stateText(this.nodes.state[i]) ||
			"ready" : this.groupBy === "nothing" ? "" :
		    this.labels?.labels[i]?.[this.groupBy] ?? "";
	}

	draw(remember = true) {
		const { nodes } = this;
		const found = [...nodes.name.keys()].filter(this.query.query.match);

		if (remember)
			this.remember();
		this.options();
		this.query.found.textContent = found.length < nodes.count ?
		    `${count(found.length)} of ${plural(nodes.count, "node")}` : "";
		this.map.set(nodes, this.requested, this.by, this.order, found,
		    (i) => this.groupName(i), this.groupBy);
		fill(this.legend, this.map.legend(), glyphs(nodes, found));
		this.list.set(localRows(found));
	}
}
