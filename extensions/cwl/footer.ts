/** The footer: how full the context is, and how long it will last, in the colors of a terminal. */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { formatTokens } from "#basics";
import { inputTokens, isAnswer } from "#pi/codec";
import { footerLine, freedText, paintLine, type Tone } from "#pi/screen";
import { emit } from "./events.ts";
import { onBranchOpened } from "./host.ts";
import { learn } from "./learn.ts";
import { pressureOf } from "./state/gauge.ts";
import type { Runtime } from "./state/runtime.ts";

/** The widest footer that is made: for terminals, and for hosts that have none. */
const WIDEST = 300;

/** How often it is seen whether a `!` command of the user has ended, in ms: pi tells when it begins. */
const FOLLOW_MS = 300;

/** The cached share of a request is known with its answer. */
export function registerStatus(pi: ExtensionAPI, runtime: Runtime) {
	let shell: NodeJS.Timeout | undefined;
	const stopWaiting = () => {
		runtime.cacheTimer.clear();
		clearInterval(shell);
	};
	pi.on("user_bash", (_event, ctx) => {
		const leafOf = () => ctx.sessionManager.getLeafId();
		const before = leafOf();
		clearInterval(shell);
		shell = setInterval(() => {
			if (leafOf() === before) return;
			clearInterval(shell);
			// The session may be closed by then, and the next request reports a fault that lasts.
			void showNextSize(runtime, ctx).catch(() => undefined);
		}, FOLLOW_MS).unref();
	});
	pi.on("agent_start", stopWaiting);
	// The parts that fit whole depend on the width of the terminal.
	let fit = () => {};
	onBranchOpened(pi, (ctx) => {
		process.stdout.off("resize", fit);
		fit = () => showStatus(runtime, ctx);
		process.stdout.on("resize", fit);
	});
	pi.on("session_shutdown", () => {
		stopWaiting();
		process.stdout.off("resize", fit);
	});
	// One handler for both: in pi 0.73.1, each further one delays the last event of JSON mode, which its end then cuts off.
	pi.on("message_end", ({ message }, ctx) => {
		if (!isAnswer(message)) return;
		learn(pi, runtime, [message]);
		const input = inputTokens(message);
		runtime.lastRequest.cachedShare = input > 0 ? message.usage.cacheRead / input : undefined;
		showStatus(runtime, ctx);
		if (!runtime.lastRequest.size || !runtime.settings.isEnabled) return;
		const { used, budget } = pressureOf(runtime.gauge.read(ctx), runtime.lastRequest.size);
		const { provider, model, usage } = message;
		const cached = Math.min(usage.cacheRead, input);
		emit(pi, "cwl:request", { provider, model, used, budget, input, cached, output: usage.output });
	});
}

export function showStatus(runtime: Runtime, ctx: ExtensionContext) {
	ctx.ui.setStatus("cwl", statusLine(runtime, ctx));
}

/** Something may have changed the next request: the footer shows its size at once, as every other screen does. */
export async function showNextSize(runtime: Runtime, ctx: ExtensionContext) {
	const coldAfter = await runtime.session.remeasure(ctx);
	showStatus(runtime, ctx);
	// A pause may outlast the provider's cache, and other passes come next then.
	runtime.cacheTimer.set(coldAfter, () => showNextSize(runtime, ctx));
}

function statusLine(runtime: Runtime, ctx: ExtensionContext): string {
	const { settings, session, lastRequest, health } = runtime;
	const { size, cachedShare } = lastRequest;
	const gauge = runtime.gauge.read(ctx);
	const { sizes } = gauge;
	if (!settings.isEnabled)
		return size ? `cwl off · requests send all ${sizes.showWhole(size.tokens)} tokens` : "cwl off";
	if (!size) return `cwl -/${formatTokens(gauge.budget)}`;
	const last = session.undoable();
	const width = Math.min(process.stdout.columns ?? WIDEST, WIDEST);
	const footer = {
		pressure: pressureOf(gauge, size),
		stopsCompaction: health.isCompactionStopped,
		cachedShare,
		lastPass: last && { number: last.number, freed: freedText(last, sizes) },
		droppedThinking: health.droppedThinking.requests,
		next: size.next,
	};
	return paintLine(footerLine(footer, width), paint);
}

/** Select graphic rendition (ECMA-48), and the 256 colours of xterm for orange and violet, which the eight have not: on and off. */
const codes: Readonly<Record<Tone, readonly [on: string, off: string] | undefined>> = {
	plain: undefined,
	dim: ["2", "22"],
	strong: ["1", "22"],
	green: ["32", "39"],
	yellow: ["33", "39"],
	orange: ["38;5;208", "39"],
	red: ["31", "39"],
	blue: ["34", "39"],
	cyan: ["36", "39"],
	magenta: ["35", "39"],
	violet: ["38;5;141", "39"],
};

/** Only a terminal has colours; whoever drives pi over a pipe gets the words. */
export function paint(tone: Tone, text: string): string {
	const code = codes[tone];
	if (!code || !process.stdout.isTTY || process.env.NO_COLOR) return text;
	return `\u001b[${code[0]}m${text}\u001b[${code[1]}m`;
}
