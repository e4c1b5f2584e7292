/** The panel of `/cwl` in a terminal: an overlay over pi's own screen. */
import { CwlError } from "../../packages/host/errors.ts";
import { pad } from "../../packages/host/screen/columns.ts";
import { listedEpisodes, panelLines, tooSmall } from "../../packages/host/screen/panel.ts";
import { firstPanel, keyOf, type PanelAction, pressKey } from "../../packages/host/screen/panel-keys.ts";
import type { Command, Context } from "./commands/command.ts";
import { readState } from "./read-state.ts";
import type { Runtime } from "./runtime.ts";

/** Lines and columns below which nothing can be read. */
const LEAST = { width: 40, height: 16 };
/** Rows around the overlay. */
const MARGIN = 2;

/** Only a person in front of a terminal has an overlay. */
export function hasPanel({ hasUI }: Pick<Context, "hasUI">): boolean {
	return hasUI && process.stdout.isTTY === true;
}

/** Show the panel until it is closed. `commands` do what its keys ask for. */
export async function showPanel(
	runtime: Runtime,
	ctx: Context,
	commands: Readonly<Record<Exclude<PanelAction, "close">, Command>>,
): Promise<void> {
	let sources = await readState(runtime, ctx);
	let state = firstPanel;
	let said = "";

	async function run(action: Exclude<PanelAction, "close">, redraw: () => void) {
		const episode = listedEpisodes(sources, state)[state.cursor];
		if (!episode) return;
		try {
			said = await commands[action].run(episode.name, ctx);
		} catch (error) {
			if (!(error instanceof CwlError)) throw error;
			said = error.message;
		}
		sources = await readState(runtime, ctx);
		redraw();
	}

	await ctx.ui.custom<undefined>(
		(tui, _theme, _keys, done) => ({
			render(width) {
				const height = (process.stdout.rows ?? LEAST.height) - MARGIN;
				if (width < LEAST.width || height < LEAST.height) return [...tooSmall(width)];
				const lines = [...panelLines(sources, state, width, said === "" ? height : height - 1)];
				return said === "" ? lines : [...lines, pad(said, width)];
			},
			handleInput(data) {
				const step = pressKey(state, keyOf(data), listedEpisodes(sources, state).length);
				state = step.state;
				said = "";
				if (step.action === "close") done(undefined);
				else if (step.action) void run(step.action, () => tui.requestRender());
				tui.requestRender();
			},
			invalidate: () => undefined,
		}),
		{ overlay: true, overlayOptions: { width: "100%", maxHeight: "100%", anchor: "center" } },
	);
}
