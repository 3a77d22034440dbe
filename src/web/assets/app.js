/* The frame: routes, the token, and whether the server and the cluster are as they
 * were. */
import { ask, askOnce, forget, takeToken } from "./api.js";
import { fill, h } from "./dom.js";
import { showNode, showNodes } from "./nodes.js";
import { showPending, showPods } from "./pods.js";
import { showPod } from "./pod.js";
import { showWorkbench } from "./workbench.js";

const main = document.getElementById("main");
const banner = document.getElementById("banner");
const pollMs = 3000;

const routes = [
	[/^\/?$/, showNodes, "nodes"],
	[/^\/nodes$/, showNodes, "nodes"],
	[/^\/node\/(.+)$/, showNode, "nodes"],
	[/^\/pending$/, showPending, "pending"],
	[/^\/pods$/, showPods, "pods"],
	[/^\/pod\/(.+)$/, showPod, "pods"],
	[/^\/workbench$/, showWorkbench, "workbench"],
];

let generation = null; /* of what is shown */
let last = ""; /* path of the view */
let view = 0; /* how many have been shown */

/* ---- troubles ---- */

function explain(error) {
	if (error.status === 401)
		return ["This page needs its token", "Open the URL that " +
		    "predicatectl web has printed. A server that was started " +
		    "again has another one."];
	if (error.status === 0)
		return ["The server does not answer", "predicatectl web was " +
		    "stopped, or the connection to it is lost. The page goes " +
		    "on as soon as it answers again."];
	return [error.status === 404 ? "Not found" : "This cannot be shown",
	    error.message];
}

export function failure(error) {
	const [title, text] = explain(error);

	return [h("h1", { tabindex: "-1" }, title), h("p", {}, text)];
}

function say(...children) {
	fill(banner, children);
}

async function poll() {
	try {
		const status = await ask("status");

		if (generation !== null && status.generation !== generation)
			say(h("p", {}, "The cluster or the policy has changed."),
			    h("button", { type: "button", class: "main",
				onclick: () => { generation = null; forget();
				    say(); show(); } }, "Show the new state"));
		else if (status.trouble)
			say(h("p", {}, status.trouble));
		else if (banner.childNodes.length > 0)
			say();
		if (generation === null)
			generation = status.generation;
		document.getElementById("source").textContent = status.source;
		document.getElementById("source").title = status.source;
		if (main.dataset.lost) {
			delete main.dataset.lost;
			show();
		}
	} catch (error) {
		say(h("p", {}, explain(error).join(". ")));
	}
	setTimeout(poll, pollMs);
}

/* ---- routes ---- */

/* What a view gets beside the path's part: parameters of its URL, and whether it is
 * still the one that is shown. */
async function show() {
	const hash = location.hash.replace(/^#/, "") || "/nodes";
	const [path, query] = hash.split(/\?(.*)/s);
	const found = routes.find(([pattern]) => pattern.test(path));
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
		title: (text) => { document.title = `${text} · predicated`; },
	};
	const moved = path !== last;

	last = path;
	for (const link of document.querySelectorAll("nav a"))
		if (found && link.getAttribute("href") === `#/${found[2]}`)
			link.setAttribute("aria-current", "page");
		else
			link.removeAttribute("aria-current");
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
		fill(main, failure(error));
		context.title(explain(error)[0]);
	}
	if (moved && context.current()) {
		scrollTo(0, 0);
		if (mine > 1)
			main.querySelector("h1")?.focus({ preventScroll: true });
	}
	main.dataset.view = String(mine);
}

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

takeToken();
setTheme(themes[localStorage.getItem("predicated-theme")] ?
    localStorage.getItem("predicated-theme") : "");
addEventListener("hashchange", () => { takeToken(); show(); });
askOnce("cluster").catch(() => {});
show();
poll();
