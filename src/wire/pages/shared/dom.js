/* Elements, numbers for people, and tables that draw only the rows in sight. */

/*
 * All texts of the server reach the page through this: what would hide, or turn the
 * text around it, is shown as text_visible() (src/base/text.h) writes it.
 */
export const visible = (text) => String(text).replace(
    /[^\P{C}\n\t]|[\u2028\u2029]/gu, (c) => c.codePointAt(0) > 0xffff ?
	`\\U${c.codePointAt(0).toString(16).padStart(8, "0")}` :
	c < "\x80" ? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}` :
	`\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

const children = (list) => list.flat(Infinity).filter(
    (c) => c !== undefined && c !== null && c !== false).map(
    (c) => c instanceof Node ? c : visible(c));

/* h("a", { href: "#/", class: "x", onclick: f }, "text", child, [children]) */
export function h(name, attributes, ...inner) {
	const element = document.createElement(name);

	for (const [key, value] of Object.entries(attributes ?? {})) {
		if (value === undefined || value === null || value === false)
			continue;
		if (key.startsWith("on"))
			element.addEventListener(key.slice(2), value);
		else if (key === "value" || key === "checked" ||
		    key === "disabled")
			element[key] = value;
		else
			element.setAttribute(key, value === true ? "" :
			    key === "href" ? value : visible(value));
	}
	element.append(...children(inner));
	return element;
}

export function fill(element, ...inner) {
	element.replaceChildren(...children(inner));
}

/* The same, and the keyboard stays at the link where it is. */
export function refill(element, ...inner) {
	const at = element.contains(document.activeElement) ?
	    document.activeElement.getAttribute("href") : null;

	fill(element, ...inner);
	if (at !== null)
		[...element.querySelectorAll("a")].find((a) =>
		    a.getAttribute("href") === at)?.focus({ preventScroll: true });
}

const whole = new Intl.NumberFormat("en-US");

export const count = (n) => whole.format(n);
export const plural = (n, one, many = one + "s") =>
    `${count(n)} ${n === 1 ? one : many}`;
export const percent = (share, digits = 0) =>
    `${(100 * share).toFixed(digits)} %`;

const powers = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

function bytes(n) {
	let i = 0;

	while (Math.abs(n) >= 1024 && i + 1 < powers.length) {
		n /= 1024;
		i++;
	}
	return `${n >= 100 || Number.isInteger(n) ? Math.round(n) :
	    n.toFixed(1)} ${powers[i]}`.trim();
}

const isBytes = (resource) => resource === "memory" ||
    resource === "ephemeral-storage" || resource.startsWith("hugepages-");

const digits = (n, most) => new Intl.NumberFormat("en-US",
    { maximumFractionDigits: most }).format(n);

/* An amount of a resource by itself, as Kubernetes writes it. */
export function amount(resource, n) {
	if (resource === "cpu")
		return digits(n / 1000, n < 100000 ? 3 : 1);
	return isBytes(resource) ? bytes(n) : count(n);
}

/* The same in a list, where all have one unit: that of the list's heading. */
export function listed(resource, n) {
	if (!isBytes(resource))
		return amount(resource, n);
	const text = digits(n / 2 ** 30, 3);

	return n > 0 && text === "0" ? "<0.001" : text;
}

export const heading = (resource) => resource === "cpu" ? "cpu (cores)" :
    isBytes(resource) ? `${resource} (Gi)` : resource;

/* What a pod requests beside cpu and memory, as "2 nvidia.com/gpu". */
export const others = (pod) => Object.entries(pod.other ?? {}).map(([name, n]) =>
    `${amount(name, n)} ${name}`).join(", ");

/* Columns and cells of a list of pods. */
export const requestColumns = [
	{ name: heading("cpu"), class: "num", key: (pod) => pod.cpu },
	{ name: heading("memory"), class: "num", key: (pod) => pod.memory },
	{ name: "Other requests", key: (pod) => Object.entries(pod.other ?? {})
	    .map(([name, n]) => name + String(n).padStart(16, "0")).join() }];
export const requests = (pod) => [listed("cpu", pod.cpu),
    listed("memory", pod.memory), others(pod)];

/* The class of a share in the colour scale: 0 empty … 5 full, 6 over-committed. */
export function step(share) {
	if (!(share > 0))
		return 0;
	return share < 0.25 ? 1 : share < 0.5 ? 2 : share < 0.75 ? 3 :
	    share < 0.95 ? 4 : share <= 1 ? 5 : 6;
}
export const stepNames = ["empty", "below 25 %", "25 to 50 %", "50 to 75 %",
    "75 to 95 %", "95 to 100 %", "above 100 %"];

/* plain: that it is full is nothing to warn of. */
export function meter(share, plain = false) {
	const bar = h("i", { class: plain || share < 0.95 ? undefined :
	    share > 1 ? "over" : "full" });

	bar.style.width = `${Math.min(100, Math.max(0, 100 * share))}%`;
	return h("span", { class: "meter", "aria-hidden": "true" }, bar);
}

export const link = (path, parameters, ...text) => h("a",
    { href: `#${path}?${new URLSearchParams(parameters)}` }, text);
/* Remedies at the cost of other pods are no good news. */
export const harms = new Set(["delete", "evict"]);

export const podLink = (name, extra = "") =>
    h("a", { href: `#/pod/${encodeURI(name)}${extra}`, title: name }, name);
export const nodeLink = (name) => name === null ?
    h("span", { class: "dim" }, "none") :
    h("a", { href: `#/node/${encodeURIComponent(name)}`, title: name }, name);

export function panel(title, ...children) {
	return h("section", { class: "panel" }, title && h("h2", {}, title),
	    children);
}

export function fact(name, value, small) {
	return h("div", { class: "fact" }, h("dt", { title: name }, name),
	    h("dd", {}, value, small && [" ", h("small", {}, small)]));
}

export async function loadAll(load, size = 200000) {
	let rows = [], got;

	do {
		got = await load(rows.length, size);
		rows = rows.concat(got.rows);
	} while (rows.length < got.total && got.rows.length > 0);
	return rows;
}

/*
 * Rows that come in pages from the server.  load(offset, limit) resolves to
 * { total, rows }; rows(i) is undefined until its page has come.
 */
export function remoteRows(load, onload, onerror, size = 100) {
	const pages = new Map();
	let total; /* not known before the first page */

	async function want(page) {
		if (pages.has(page))
			return;
		pages.set(page, null);
		try {
			const got = await load(page * size, size);

			total = got.total;
			pages.set(page, got.rows);
			onload();
		} catch (error) {
			pages.delete(page);
			rows.failed = true;
			onerror(error);
		}
	}
	const rows = {
		get total() { return total; },
		all: () => loadAll(load),
		at: (i) => pages.get(Math.floor(i / size))?.[i % size],
		want: (from, to) => {
			for (let p = Math.floor(from / size);
			    p <= Math.floor(Math.max(from, to - 1) / size); p++)
				want(p);
		},
	};
	return rows;
}

export const localRows = (rows) => ({ total: rows.length, list: rows,
	at: (i) => rows[i], want: () => {} });

/* Rows of such a list that match; they are all loaded. */
export function filteredRows(load, match, onload, onerror) {
	let list, loading;
	const all = async () => {
		list ??= (await loadAll(load)).filter(match);
		return list;
	};
	const rows = {
		get total() { return list?.length; },
		at: (i) => list[i],
		all: () => loading ??= all(),
		want: () => {
			if (!loading)
				rows.all().then(onload, (error) => {
					rows.failed = true;
					onerror(error);
				});
		},
	};
	return rows;
}

const rowHeight = 34;

/* On paper nobody scrolls. */
const mostPrinted = 1000;
const tables = new Set();
let printing = false;

function print(on) {
	printing = on;
	for (const table of tables)
		if (table.deref()?.box.isConnected)
			table.deref().show();
		else
			tables.delete(table);
}
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));

/* Of a column's values; what is not there comes last in both directions. */
function compareBy(key, down) {
	const none = (v) => v === undefined || v === null || v === "" ||
	    Number.isNaN(v);

	return (a, b) => {
		const x = key(a), y = key(b);

		if (none(x) || none(y))
			return Number(none(x)) - Number(none(y));
		return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
	};
}

/*
 * A table in a box that scrolls.  columns: [{ name, class, head }]; draw(row, i)
 * gives the cells of a row.  Only rows in sight are in the document.
 *
 * It is sorted by columns with key(row); rows of a server are then loaded as a whole.
 * `by` and `down` are the order at first, by the name `sort` of a column;
 * sorted(name, down) says that another one was chosen.
 */
export class WindowTable {
	constructor(label, columns, draw, emptyText,
	    { sorted, by, down = false } = {}) {
		this.draw = draw;
		this.onsort = sorted;
		this.columns = columns;
		this.sorted = columns.find((c) => by && c.sort === by);
		this.down = down;
		this.emptyText = emptyText;
		this.rows = localRows([]);
		this.body = h("tbody");
		this.heads = h("tr");
		this.table = h("table", {},
		    h("caption", { class: "hidden-text" }, label),
		    h("thead", {}, this.heads), this.body);
		this.drawHeads();
		this.box = h("div", { class: "table", role: "region",
			tabindex: "0", "aria-label": label }, this.table);
		this.box.addEventListener("scroll", () => this.later(),
		    { passive: true });
		new ResizeObserver(() => this.later()).observe(this.box);
		tables.add(new WeakRef(this));
	}

	drawHeads() {
		fill(this.heads, this.columns.map((c) => this.head(c)));
	}

	head(column) {
		const sorted = this.sorted === column;
		const state = !column.key ? undefined : !sorted ? "none" :
		    this.down ? "descending" : "ascending";

		return h("th", { scope: "col", class: column.class,
			"aria-sort": state }, column.head ?? (!column.key ? column.name :
		    h("button", { type: "button",
			onclick: () => this.sortBy(column) }, column.name,
			sorted ? this.down ? " ↓" : " ↑" : "")));
	}

	sortBy(column) {
		this.down = this.sorted === column ? !this.down :
		    column.class === "num";
		this.sorted = column;
		this.drawHeads();
		this.heads.querySelector('[aria-sort$="ending"] button')?.focus();
		this.box.scrollTop = 0;
		this.onsort?.(column.sort, this.down);
		this.set(this.given);
	}

	later() {
		if (this.waiting)
			return;
		this.waiting = true;
		requestAnimationFrame(() => {
			this.waiting = false;
			this.show();
		});
	}

	set(rows) {
		this.given = rows;
		if (!this.sorted)
			this.take(rows);
		else if (rows.list)
			this.order(rows.list);
		else
			this.orderAll(rows);
	}

	take(rows) {
		this.rows = rows;
		this.drawn = null;
		rows.want(0, 1);
		this.show();
	}

	order(list) {
		this.take(localRows([...list].sort(
		    compareBy(this.sorted.key, this.down))));
	}

	async orderAll(rows) {
		this.table.setAttribute("aria-busy", "true");
		try {
			const list = await rows.all();

			if (this.given === rows && this.sorted)
				this.order(list);
		} catch (error) {
			/* The rows report their own error. */
			if (error.status === undefined)
				console.error(error);
			this.take(rows);
		}
	}

	spacer(rows) {
		const cell = h("td", { colspan: this.columns.length });

		cell.style.height = `${rows * rowHeight}px`;
		return h("tr", { class: "spacer", "aria-hidden": "true" }, cell);
	}

	/* Rows changed in place: draws them again. */
	refresh() {
		if (this.rows !== this.given) {
			this.set(this.given);
			return;
		}
		this.drawn = null;
		this.show();
	}

	show() {
		const loading = this.rows.total === undefined;
		const total = this.rows.total ?? 0;
		const height = this.box.clientHeight || 600;
		const inSight = Math.ceil(height / rowHeight);
		/* Of a list that became shorter, its end. */
		let first = Math.min(Math.floor(this.box.scrollTop / rowHeight),
		    total - inSight) - 15;

		first = printing ? 0 : Math.max(0, first - first % 10);
		const last = Math.min(total, printing ? mostPrinted :
		    first + inSight + 45);
		const key = `${first} ${last} ${total} ${loading}`;

		if (this.drawn === key)
			return;
		this.drawn = key;
		this.rows.want(first, last);
		this.table.setAttribute("aria-rowcount", loading ? -1 : total + 1);
		this.table.setAttribute("aria-busy", String(loading));
		const lines = [];

		if (first > 0)
			lines.push(this.spacer(first));
		for (let i = first; i < last; i++)
			lines.push(this.line(i));
		if (last < total)
			lines.push(this.spacer(total - last));
		if (total === 0)
			lines.push(h("tr", {}, h("td", { class: "empty",
				colspan: this.columns.length },
			    loading ? this.rows.failed ? "Not known" : "Loading…" :
				this.emptyText ?? "Nothing to show")));
		refill(this.body, lines);
	}

	line(i) {
		const row = this.rows.at(i);
		const cells = row === undefined || row === null ?
		    this.columns.map((c, k) => k === 0 ? "…" : "") :
		    this.draw(row, i);

		return h("tr", { "aria-rowindex": i + 2,
			class: row?.chosen ? "chosen" : undefined },
		    cells.map((cell, k) => h(k === 0 ? "th" : "td",
			{ scope: k === 0 ? "row" : undefined,
			    class: this.columns[k].cell ?? this.columns[k].class },
			cell)));
	}
}

/* Asks before what cannot be taken back; resolves to whether it was agreed to. */
export function confirmed(title, content, yes) {
	return new Promise((done) => {
		const box = h("dialog", { "aria-labelledby": "dialog-title",
		    onclose: () => {
			    box.remove();
			    done(box.returnValue === "yes");
		    } }, h("form", { method: "dialog" },
		    h("h2", { id: "dialog-title" }, title), content,
		    h("div", { class: "row" },
			h("button", { value: "", class: "main" }, "Cancel"),
			h("button", { value: "yes" }, yes))));

		document.body.append(box);
		box.showModal();
	});
}

/* Calls f when nothing has called for some milliseconds. */
export function debounce(f, ms) {
	let timer;

	return (...args) => {
		clearTimeout(timer);
		timer = setTimeout(() => f(...args), ms);
	};
}
