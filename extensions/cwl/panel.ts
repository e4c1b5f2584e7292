/** The panel of `/cwl` in a terminal: an overlay over pi's own screen. */
import { decodeKittyPrintable, parseKey } from "@mariozechner/pi-tui";
import { messageOf } from "#pi";
import { firstPanel, listedEpisodes, type PanelAction, paintLine, panelLines, pressKey } from "#pi/screen";
import type { Command, Context } from "./commands/command.ts";
import { refreshCosts } from "./costs.ts";
import { paint, showNextSize } from "./footer.ts";
import { readState } from "./read-state.ts";
import type { Runtime } from "./state/runtime.ts";

/** How often it is seen whether the session went on while the panel is open. */
const FOLLOW_MS = 500;

type EpisodeCommands = Readonly<Record<Exclude<PanelAction, "close">, Command>>;

/** Show the panel until it is closed. `commands` do what its keys ask for. */
export async function showPanel(runtime: Runtime, ctx: Context, commands: EpisodeCommands): Promise<void> {
	const panel = await openPanel(runtime, ctx, commands);
	let timer: NodeJS.Timeout | undefined;
	await ctx.ui
		.custom<undefined>(
			(tui, _theme, _keys, done) => {
				const redraw = () => tui.requestRender();
				void panel.workOutSavings().then(redraw);
				timer = setInterval(() => void panel.follow().then(redraw), FOLLOW_MS);
				return {
					render: (width) => panel.draw(width, tui.terminal.rows),
					handleInput(data) {
						if (panel.press(keyOf(data), redraw)) done(undefined);
						else redraw();
					},
					invalidate: () => undefined,
				};
			},
			{ overlay: true, overlayOptions: { width: "100%", maxHeight: "100%", anchor: "center" } },
		)
		.finally(() => clearInterval(timer));
}

/** A character that a terminal sent, or pi's name for another key; "" for what is neither. */
export function keyOf(data: string): string {
	const typed = decodeKittyPrintable(data) ?? data;
	if (/^\P{C}$/u.test(typed)) return typed;
	// `parseKey` gives a method of an object for some pasted words, as "valueOf".
	const key: unknown = parseKey(data);
	return typeof key === "string" ? key : "";
}

/** The panel's content, which follows its keys and the session. */
async function openPanel(runtime: Runtime, ctx: Context, commands: EpisodeCommands) {
	let seen = lookOut();
	let report = await readState(runtime, ctx);
	let state = firstPanel;
	let said = "";

	/** The last request and the last message: no request follows the answer that ends a run. */
	function lookOut() {
		return { request: runtime.lastRequest.size, message: ctx.sessionManager.getLeafId() };
	}

	async function tryTo(work: () => Promise<void>) {
		try {
			await work();
		} catch (error) {
			said = messageOf(error);
		}
	}

	async function run(action: keyof EpisodeCommands) {
		const episode = listedEpisodes(report, state)[state.cursor];
		if (!episode) return;
		said = await commands[action].run(episode.name, ctx);
		await showNextSize(runtime, ctx);
		report = await readState(runtime, ctx);
	}

	return {
		/** Returns true if the key closes the panel. Slow actions call `redraw` when they are done. */
		press(key: string, redraw: () => void): boolean {
			const { state: next, action } = pressKey(state, key, listedEpisodes(report, state).length);
			state = next;
			said = "";
			if (action === "close") return true;
			if (action) void tryTo(() => run(action)).then(redraw);
			return false;
		},
		/** The savings need a replay of the session, which the panel does not wait for. */
		workOutSavings: () =>
			tryTo(async () => {
				await refreshCosts(runtime, ctx, false);
				report = await readState(runtime, ctx);
			}),
		/** Look again, when something came since. */
		follow: () =>
			tryTo(async () => {
				const { request, message } = lookOut();
				if (request === seen.request && message === seen.message) return;
				seen = { request, message };
				report = await readState(runtime, ctx);
			}),
		draw: (width: number, height: number) =>
			panelLines({ report, state, said }, width, height).map((line) => paintLine(line, paint)),
	};
}
