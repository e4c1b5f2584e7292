/** A real headless Chromium, driven over its debugging pipe, so that no package and no port is needed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** The command of the browser; undefined where none is installed. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
	(name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

export type Browser = Awaited<ReturnType<typeof startBrowser>>;
export type Page = Awaited<ReturnType<Browser["open"]>>;

type Json = Readonly<Record<string, unknown>>;
type Message = { readonly id?: number; readonly method?: string; readonly sessionId?: string } & Json;

/** The browser, without a network that it uses on its own. */
export async function startBrowser() {
	const profile = mkdtempSync(join(tmpdir(), "cwl-browser-"));
	const flags = [
		"--headless=new",
		"--no-sandbox",
		"--disable-gpu",
		"--disable-background-networking",
		"--hide-scrollbars",
	];
	const child = spawn(
		chromium ?? "chromium",
		[...flags, "--remote-debugging-pipe", `--user-data-dir=${profile}`],
		{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
	);
	const toBrowser = child.stdio[3] as Writable;
	const fromBrowser = child.stdio[4] as Readable;
	const answers = new Map<number, (message: Message) => void>();
	const listeners = new Map<string, (message: Message) => void>();
	readMessages(fromBrowser, (message) => {
		if (message.id !== undefined) answers.get(message.id)?.(message);
		else if (message.sessionId !== undefined) listeners.get(message.sessionId)?.(message);
	});
	let last = 0;
	const send = async (method: string, params: Json = {}, sessionId?: string): Promise<Json> => {
		last += 1;
		const id = last;
		const answered = new Promise<Message>((resolve) => answers.set(id, resolve));
		toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
		const { error, result } = await answered;
		if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
		return Object(result);
	};
	return {
		/** Opens an address and waits until it has loaded, in a window of this width in CSS pixels. */
		async open(
			url: string,
			{ width = 1280, isDark = false }: { readonly width?: number; readonly isDark?: boolean } = {},
		) {
			const { targetId } = await send("Target.createTarget", { url: "about:blank" });
			const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
			const session = String(sessionId);
			const call = (method: string, params: Json = {}) => send(method, params, session);
			const requests: string[] = [];
			const incidents: string[] = [];
			const loaded = new Promise<void>((resolve) =>
				listeners.set(session, ({ method = "", params }) => {
					const seen = Object(params);
					if (method === "Page.loadEventFired") resolve();
					else if (method === "Network.requestWillBeSent") requests.push(String(seen.request.url));
					else if (incidentEvents.has(method))
						incidents.push(`${method} ${JSON.stringify(seen).slice(0, 500)}`);
				}),
			);
			for (const domain of ["Page", "Network", "Runtime", "Log"]) await call(`${domain}.enable`);
			await call("Emulation.setDeviceMetricsOverride", { width, ...SCREEN });
			const features = [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }];
			await call("Emulation.setEmulatedMedia", { features });
			await call("Page.navigate", { url });
			await loaded;
			return {
				/** Every address that was asked for since the page was opened, its own included. */
				requests,
				/** Dialogs, exceptions, and scripts or requests that the page's own policy stopped. */
				incidents,
				/** The value of an expression in the page, as JSON carries it. */
				async evaluate(expression: string): Promise<unknown> {
					const { result, exceptionDetails } = await call("Runtime.evaluate", {
						expression,
						returnByValue: true,
						awaitPromise: true,
						userGesture: true,
					});
					if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails).slice(0, 500));
					return Object(result).value;
				},
				async press(key: string) {
					const code = keyCodes[key] ?? 0;
					const event = { key, code: key, windowsVirtualKeyCode: code };
					await call("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event });
					await call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
				},
				async hover(x: number, y: number) {
					await call("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
				},
			};
		},
		async close() {
			const ended = once(child, "exit");
			// A killed browser leaves processes that still write into the profile.
			void send("Browser.close");
			await ended;
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

const SCREEN = { height: 900, deviceScaleFactor: 1, mobile: false };

const keyCodes: Readonly<Record<string, number>> = { Tab: 9 };

const incidentEvents = new Set([
	"Page.javascriptDialogOpening",
	"Runtime.exceptionThrown",
	"Runtime.consoleAPICalled",
	"Log.entryAdded",
	"Page.frameRequestedNavigation",
	"Page.windowOpen",
]);

/** Messages are JSON that ends with a zero byte. */
function readMessages(stream: Readable, take: (message: Message) => void): void {
	let text = "";
	stream.setEncoding("utf8").on("data", (chunk: string) => {
		text += chunk;
		const parts = text.split("\0");
		text = parts.pop() ?? "";
		for (const part of parts) take(JSON.parse(part));
	});
}
