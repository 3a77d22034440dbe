/* Views that follow the daemon, until they are paused; times; rows that change. */
import { h, loadAll } from "./dom.js";
import { isDaemon } from "./request.js";

let paused = false;

if (isDaemon) {
	const button = h("button", { type: "button", id: "pause", class: "quiet",
		"aria-pressed": "false", onclick: () => {
			paused = !paused;
			button.setAttribute("aria-pressed", String(paused));
			button.textContent = paused ? "Go on" : "Pause";
		} }, "Pause");

	document.getElementById("theme").before(button);
}

/*
 * Calls update() again and again, seconds after it has ended, while alive() and the
 * page is neither hidden nor paused.  failed(error), or failed() when it goes on.  A
 * cluster that was loaded once is not followed.
 */
export function follow(alive, seconds, update, failed) {
	if (!isDaemon)
		return;
	setTimeout(async () => {
		if (!alive())
			return;
		if (!paused && !document.hidden) {
			try {
				await update();
				failed();
			} catch (error) {
				if (error.status === undefined)
					console.error(error);
				failed(error);
			}
		}
		follow(alive, seconds, update, failed);
	}, seconds * 1000);
}

/* ---- times ---- */

function span(seconds) {
	const n = Math.abs(Math.round(seconds));

	if (n < 120)
		return `${n} s`;
	if (n < 7200)
		return `${Math.round(n / 60)} min`;
	return n < 172800 ? `${Math.round(n / 3600)} h` :
	    `${Math.round(n / 86400)} days`;
}

/* now: the server's, as in its replies */
export const since = (time, now) => h("time", { datetime: time, title: time },
    span((Date.parse(now) - Date.parse(time)) / 1000));

export function until(time, now) {
	if (time === null)
		return h("span", { class: "dim" }, "after a change");
	const seconds = (Date.parse(time) - Date.parse(now)) / 1000;

	return seconds <= 0 ? "now" :
	    h("time", { datetime: time, title: time }, `in ${span(seconds)}`);
}

export const clock = (time) => h("time", { datetime: time, title: time },
    time.slice(11, 23).replace("Z", ""));

/* ---- rows ---- */

/* Like remoteRows() of dom.js, but the pages in sight can be loaded again. */
export class LiveRows {
	constructor(load, onload, onerror) {
		Object.assign(this, { load, onload, onerror, size: 100, total: 0,
			pages: new Map(), from: 0, to: 1 });
	}

	at(i) {
		return this.pages.get(Math.floor(i / this.size))
		    ?.[i % this.size];
	}

	inSight() {
		const pages = [];

		for (let p = Math.floor(this.from / this.size);
		    p <= Math.floor(Math.max(this.from, this.to - 1) /
			this.size); p++)
			pages.push(p);
		return pages;
	}

	async loadPage(pages, p) {
		const got = await this.load(p * this.size, this.size);

		this.total = got.total;
		pages.set(p, got.rows);
		return got;
	}

	want(from, to) {
		this.from = from;
		this.to = to;
		for (const p of this.inSight()) {
			if (this.pages.has(p))
				continue;
			this.pages.set(p, null);
			this.loadPage(this.pages, p).then(() => this.onload(),
			    (error) => {
				this.pages.delete(p);
				this.onerror(error);
			    });
		}
	}

	async reload() {
		const pages = new Map();

		for (const p of this.inSight())
			await this.loadPage(pages, p);
		this.pages = pages;
		this.onload();
	}

	all() {
		return loadAll(this.load, 500);
	}
}
