/* Elements, numbers for people, and tables that draw only the rows in sight. */

/* h("a", { href: "#/", class: "x", onclick: f }, "text", child, [children]) */
export function h(name, attributes, ...children) {
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
			element.setAttribute(key, value === true ? "" : value);
	}
	element.append(...children.flat(Infinity).filter(
	    (c) => c !== undefined && c !== null && c !== false));
	return element;
}

export function fill(element, ...children) {
	element.replaceChildren(...children.flat(Infinity).filter(
	    (c) => c !== undefined && c !== null && c !== false));
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

/* An amount of a resource, as Kubernetes writes it. */
export function amount(resource, n) {
	if (resource === "cpu") {
		const cores = n / 1000;

		return Number.isInteger(cores) ? count(cores) :
		    cores.toFixed(cores < 100 ? 1 : 0);
	}
	if (resource === "memory" || resource === "ephemeral-storage" ||
	    resource.startsWith("hugepages-"))
		return bytes(n);
	return count(n);
}

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

export const podLink = (name, extra = "") =>
    h("a", { href: `#/pod/${encodeURI(name)}${extra}` }, name);
export const nodeLink = (name) => name === null ?
    h("span", { class: "dim" }, "none") :
    h("a", { href: `#/node/${encodeURIComponent(name)}` }, name);

export function panel(title, ...children) {
	return h("section", { class: "panel" }, title && h("h2", {}, title),
	    children);
}

export function fact(name, value, small) {
	return h("div", { class: "fact" }, h("dt", { title: name }, name),
	    h("dd", {}, value, small && [" ", h("small", {}, small)]));
}

/*
 * Rows that come in pages from the server.  load(offset, limit) resolves to
 * { total, rows }; rows(i) is undefined until its page has come.
 */
export function remoteRows(load, onload, onerror) {
	const size = 100, pages = new Map();
	let total = 0;

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
			onerror(error);
		}
	}
	return {
		get total() { return total; },
		at: (i) => pages.get(Math.floor(i / size))?.[i % size],
		want: (from, to) => {
			for (let p = Math.floor(from / size);
			    p <= Math.floor(Math.max(from, to - 1) / size); p++)
				want(p);
		},
	};
}

export const localRows = (rows) => ({ total: rows.length,
	at: (i) => rows[i], want: () => {} });

const rowHeight = 34;

/*
 * A table in a box that scrolls.  columns: [{ name, class, head }]; draw(row, i)
 * gives the cells of a row.  Only rows in sight are in the document.
 */
export class WindowTable {
	constructor(label, columns, draw, emptyText) {
		this.draw = draw;
		this.columns = columns;
		this.emptyText = emptyText;
		this.rows = localRows([]);
		this.body = h("tbody");
		this.table = h("table", {},
		    h("caption", { class: "hidden-text" }, label),
		    h("thead", {}, h("tr", {}, columns.map((c) => this.head(c)))),
		    this.body);
		this.box = h("div", { class: "table", role: "region",
			tabindex: "0", "aria-label": label }, this.table);
		this.box.addEventListener("scroll", () => this.later(),
		    { passive: true });
		new ResizeObserver(() => this.later()).observe(this.box);
	}

	head(column) {
		return h("th", { scope: "col", class: column.class,
			"aria-sort": column.sort }, column.head ?? column.name);
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
		this.rows = rows;
		this.drawn = null;
		this.rows.want(0, 1);
		this.show();
	}

	spacer(rows) {
		const cell = h("td", { colspan: this.columns.length });

		cell.style.height = `${rows * rowHeight}px`;
		return h("tr", { class: "spacer", "aria-hidden": "true" }, cell);
	}

	/* Rows changed in place: draws them again. */
	refresh() {
		this.drawn = null;
		this.show();
	}

	show() {
		const total = this.rows.total;
		const height = this.box.clientHeight || 600;
		let first = Math.floor(this.box.scrollTop / rowHeight) - 15;

		first = Math.max(0, first - first % 10);
		const last = Math.min(total,
		    first + Math.ceil(height / rowHeight) + 45);
		const key = `${first} ${last} ${total}`;

		if (this.drawn === key)
			return;
		this.drawn = key;
		this.rows.want(first, last);
		this.table.setAttribute("aria-rowcount", total + 1);
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
			    this.emptyText ?? "Nothing to show")));
		const focused = this.focusedLink();

		fill(this.body, lines);
		if (focused !== null)
			[...this.body.querySelectorAll("a")].find((a) =>
			    a.getAttribute("href") === focused)?.focus(
			    { preventScroll: true });
	}

	/* Where the link leads that has the keyboard; null: none of the rows'. */
	focusedLink() {
		return this.body.contains(document.activeElement) ?
		    document.activeElement.getAttribute("href") : null;
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
