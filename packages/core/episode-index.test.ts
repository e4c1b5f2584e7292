import { expect, test } from "vitest";
import { foldLines } from "./episode-index.ts";
import { foldTranscript } from "./fold.ts";
import { foldLog, type Pass, viewAfter } from "./log.ts";
import * as draft from "./test-support/drafts.ts";
import { planInput } from "./test-support/simulation.ts";
import { expl, use } from "./test-support/small-sessions.ts";
import { defaultToolTable } from "./tool-table.ts";

const pass: Pass = { version: 1, policy: "cwl", budget: 0, before: 0, after: 0, strips: [], blockers: [] };

test("a line that stands for a group replaces the group's lines, also when the host has compacted some of it away", () => {
	const messages = draft.build([
		draft.person(),
		...expl("b", ...use("read", "r1")),
		...expl("c", ...use("read", "r2")),
	]);
	const graph = foldTranscript(messages, defaultToolTable);
	const line = (text: string) => ({ anchor: graph.episodes[0]?.items[0]?.id ?? "", text, tokens: 400 });
	const earlier = [
		{ episodes: ["gone", "b"], marker: line("gone and b") },
		{ episodes: ["gone too", "c"], marker: line("gone too and c") },
	];
	const view = foldLog([{ ...pass, folds: earlier }]);
	const input = planInput(graph, view, { budget: 100, fixed: { system: 0, tools: 0 } });
	const { folds, saved } = foldLines(input, []);
	const after = viewAfter(view, { ...pass, folds });
	expect(folds).toHaveLength(1);
	expect(after.folds).toEqual(folds);
	expect(view.markerTokens - after.markerTokens).toBe(saved);
});
