/* The frame of a page: its views by the URL's fragment, troubles, light and dark. */
import { fill, h, visible } from "./dom.js";
import { Finder } from "./finder.js";
import { takeToken } from "./request.js";

const main = document.getElementById("main");
const banner = document.getElementById("banner");

let page = null; /* routes and explain of start() */
let last = ""; /* path of the view */
let view = 0; /* how many have been shown */
let finder = null;

/* ---- troubles ---- */

/* In the banner; nothing: takes it away. */
export function say(...children) {
	if (children.length > 0 || banner.childNodes.length > 0)
		fill(banner, children);
}

/* What the page is about. */
export function showSource(text) {
	const source = document.getElementById("source");

	fill(source, text);
	source.title = visible(text);
}

/* The server answers again: shows the view that it did not answer for. */
export function showLost() {
	if (!main.dataset.lost)
		return;
	delete main.dataset.lost;
	show();
}

/* ---- views ---- */

/* The links of both pages, by the names of views; what a page cannot do is absent. */
const links = [["overview", "Overview"], ["nodes", "Nodes"], ["pending", "Pending"],
	["pods", "Pods"], ["queue", "Queue"], ["decisions", "Decisions"],
	["workbench", "Workbench"], ["drain", "Maintenance"]];

export const has = (path) => page.routes.some(([pattern]) => pattern.test(path));

function markLink(found) {
	for (const link of document.querySelectorAll("nav a"))
		if (found && link.getAttribute("href") === `#/${found[2]}`)
			link.setAttribute("aria-current", "page");
		else
			link.removeAttribute("aria-current");
}

/* What a view gets beside the path's part: parameters of its URL, and whether it is
 * still the one that is shown. */
export async function show() {
	const hash = location.hash.replace(/^#/, "") || "/overview";
	const [path, query] = hash.split(/\?(.*)/s);
	const found = page.routes.find(([pattern]) => pattern.test(path));
	const mine = ++view;
	const context = {
		parameters: new URLSearchParams(query ?? ""),
		current: () => view === mine,
		/* Replaces the parameters of the URL without a new view. */
		remember: (parameters) => {
			const text = new URLSearchParams(parameters).toString();

			history.replaceState(null, "",
			    `#${path}${text ? `?${text}` : ""}`);
		},
		title: (text) => { document.title = `${visible(text)} · predicated`; },
	};
	const moved = path !== last;

	last = path;
	markLink(found);
	/* What was there is about something else. */
	const waiting = setTimeout(() => {
		if (context.current() && (moved || mine === 1))
			fill(main, h("p", { class: "panel empty", role: "status" },
			    "Loading…"));
	}, 200);
	try {
		if (!found)
			throw Object.assign(new Error("There is no such view."),
			    { status: 404 });
		const part = found[0].exec(path)[1];

		const content = await found[1](context,
		    part && decodeURIComponent(part));

		if (context.current())
			fill(main, content);
	} catch (error) {
		if (!context.current())
			return;
		if (error.status === undefined)
			console.error(error);
		if (error.status === 0)
			main.dataset.lost = "yes";
		const [title, text] = page.explain(error);

		fill(main, h("h1", { tabindex: "-1" }, title), h("p", {}, text));
		context.title(title);
	} finally {
		clearTimeout(waiting);
	}
	if (moved && context.current()) {
		scrollTo(0, 0);
		if (mine > 1)
			main.querySelector("h1")?.focus({ preventScroll: true });
	}
	main.dataset.view = String(mine);
}

/* ---- the keyboard ---- */

/* "/" leads to the box of the view, if it has one; Ctrl-K finds anything. */
addEventListener("keydown", (event) => {
	const typing = event.target.matches?.("input, textarea, select");

	if (event.key === "/" ? typing || event.ctrlKey || event.altKey :
	    !(event.key === "k" && (event.ctrlKey || event.metaKey)))
		return;
	event.preventDefault();
	const box = event.key === "/" ? document.getElementById("query") : null;

	if (box === null)
		finder.open();
	box?.focus();
	box?.select();
});

/* ---- light and dark ---- */

const themes = { "": "system", light: "light", dark: "dark" };
const themeButton = document.getElementById("theme");

function setTheme(theme) {
	if (theme)
		document.documentElement.dataset.theme = theme;
	else
		delete document.documentElement.dataset.theme;
	localStorage.setItem("predicated-theme", theme);
	themeButton.textContent = `Theme: ${themes[theme]}`;
	dispatchEvent(new Event("resize"));
}

themeButton.addEventListener("click", () => {
	const names = Object.keys(themes);
	const now = document.documentElement.dataset.theme ?? "";

	setTheme(names[(names.indexOf(now) + 1) % names.length]);
	show();
});

/* routes: [pattern, view(context, part), name of its link]; sources: those of the
 * finder; explain(error): a title and a sentence. */
export function start(routes, sources, explain) {
	page = { routes, explain };
	fill(document.querySelector("header nav"), links.filter(([name]) =>
	    has(`/${name}`)).map(([name, text]) => h("a", { href: `#/${name}` }, text)));
	finder = new Finder(sources);
	document.getElementById("find").addEventListener("click",
	    () => finder.open());
	takeToken();
	setTheme(themes[localStorage.getItem("predicated-theme")] ?
	    localStorage.getItem("predicated-theme") : "");
	addEventListener("hashchange", () => { takeToken(); show(); });
	show();
}
