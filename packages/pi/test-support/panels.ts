/** Texts of the panel over states of a session. */
import type { StateReport } from "../health/state-report.ts";
import { panelLines } from "../screen/panel.ts";
import { firstPanel, type PanelState } from "../screen/panel-keys.ts";
import { bareReport, closedExpl, madePass } from "./state-report.ts";

export const worked: StateReport = {
	...bareReport,
	episodes: [
		closedExpl,
		{
			...{ ...closedExpl, name: "raise-limit", kind: "act", dependencies: ["find-limits"] },
			state: "open",
			description: null,
		},
		{ ...closedExpl, name: "look-around", level: 4, evictedTokens: 4_000 },
	],
	passes: [
		madePass,
		{
			...madePass,
			number: 3,
			policy: "by hand",
			decision: null,
			rewritten: null,
			cached: null,
		},
	],
	alerts: [{ id: "loop", grade: "warning", text: "a.ts was read again", remedy: "/cwl settings budget 60k" }],
};

export const nextPass: StateReport["nextPasses"][number] = {
	at: "next message",
	dueIn: 0,
	idle: 0,
	freed: 14_000,
	effect: { thinking: 0, outputs: 6, episodes: 2 },
	strips: [],
	reductions: [],
	lines: 0,
	kept: [],
};

export function showPanel(
	report: StateReport,
	state: Partial<PanelState> = {},
	width = 80,
	height = 24,
	said = "",
): string {
	const lines = panelLines({ report, state: { ...firstPanel, ...state }, said }, width, height);
	return lines.map((line) => line.map(({ text }) => text).join("")).join("\n");
}
