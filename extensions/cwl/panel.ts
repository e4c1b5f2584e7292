/** The panel of `/cwl` in a terminal: an overlay over pi's own screen. */
import { panelLines } from "../../packages/host/screen/panel.ts";
import { listedEpisodes } from "../../packages/host/screen/panel-episodes.ts";
import { firstPanel, keyOf, type PanelAction, pressKey } from "../../packages/host/screen/panel-keys.ts";
import { paintLine } from "../../packages/host/screen/spans.ts";
import type { Command, Context } from "./commands/command.ts";
import { paint } from "./paint.ts";
import { readState } from "./read-state.ts";
import type { Runtime } from "./runtime.ts";

/** The height of a terminal that does not tell it. */
const USUAL_ROWS = 24;

type EpisodeAction = Exclude<PanelAction, "close">;

/** Only a person in front of a terminal has an overlay. */
export function hasPanel({ hasUI }: Pick<Context, "hasUI">): boolean {
	return hasUI && process.stdout.isTTY === true;
}

/** Show the panel until it is closed. `commands` do what its keys ask for. */
export async function showPanel(
	runtime: Runtime,
	ctx: Context,
	commands: Readonly<Record<EpisodeAction, Command>>,
): Promise<void> {
	let report = await readState(runtime, ctx);
	let state = firstPanel;
	let said = "";

	async function run(action: EpisodeAction) {
		const episode = listedEpisodes(report, state)[state.cursor];
		if (!episode) return;
		try {
			said = await commands[action].run(episode.name, ctx);
			report = await readState(runtime, ctx);
		} catch (error) {
			said = error instanceof Error ? error.message : String(error);
		}
	}

	await ctx.ui.custom<undefined>(
		(tui, _theme, _keys, done) => ({
			render: (width) =>
				panelLines({ report, state, said }, width, process.stdout.rows ?? USUAL_ROWS).map((line) =>
					paintLine(line, paint),
				),
			handleInput(data) {
				const step = pressKey(state, keyOf(data), listedEpisodes(report, state).length);
				state = step.state;
				said = "";
				if (step.action === "close") return done(undefined);
				if (step.action) void run(step.action).then(() => tui.requestRender());
				tui.requestRender();
			},
			invalidate: () => undefined,
		}),
		{ overlay: true, overlayOptions: { width: "100%", maxHeight: "100%", anchor: "center" } },
	);
}
