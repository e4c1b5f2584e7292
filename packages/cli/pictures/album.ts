/** The pictures of a demo, which the README and the docs show: the same demo gives the same pictures. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StateReport } from "#pi";
import type { DemoProgress, DemoSummary } from "../demo-run.ts";
import { createBlock, type DemoScreen } from "../demo-screen.ts";
import { drawContexts } from "./context-figure.ts";
import { drawPanel } from "./panel-picture.ts";
import { drawRecording } from "./recording.ts";

export interface Album {
	add(progress: DemoProgress): void;
	/** Writes the pictures; `text` is what the demo prints at its end. */
	write(summary: DemoSummary, text: string): Promise<void>;
}

/** The terminal of the recording, in columns. */
const COLUMNS = 92;

/** Collects what the pictures show, and writes them into a folder; `flag` is the budget as it was typed. */
export function createAlbum(folder: string, screen: DemoScreen, flag: string): Album {
	const follow = createBlock(screen, () => COLUMNS);
	const command = `$ cwl demo --tasks ${screen.tasks} --budget ${flag}`;
	const frames: (readonly string[])[] = [];
	let state: StateReport | undefined;
	return {
		add(progress) {
			if (progress.type === "state") state = progress.report;
			const lines = follow(progress);
			if (progress.type === "request" || progress.type === "verified") frames.push([command, ...lines]);
		},
		async write(summary, text) {
			await mkdir(folder, { recursive: true });
			const keep = (name: string, picture: string) => writeFile(join(folder, name), picture);
			await keep("recording.svg", drawRecording([...frames, [command, ...wrapLines(text.trim())]], COLUMNS));
			if (state) {
				await keep("panel.svg", drawPanel(state, { columns: 120, lines: 40 }));
				await keep("panel-narrow.svg", drawPanel(state, { columns: 60, lines: 30 }));
			}
			const { costs, budget } = summary;
			if (!costs) return;
			const [cwl, , none] = costs.costs;
			await keep(
				"before-after.svg",
				drawContexts({ cwl: cwl.contexts, without: none.contexts, budget, tasks: screen.tasks }),
			);
		},
	};
}

/** As a terminal shows it, but broken between words. */
function wrapLines(text: string): readonly string[] {
	const fitting = new RegExp(`.{1,${COLUMNS}}(?:\\s|$)`, "g");
	return text
		.split("\n")
		.flatMap((line) => (line.length <= COLUMNS ? [line] : (line.match(fitting) ?? [line])));
}
