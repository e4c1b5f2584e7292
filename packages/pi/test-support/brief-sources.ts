/** Builds sessions with finished episodes of given descriptions, and what a brief is written from. */
import { foldTranscript } from "#core/graph";
import { viewOfLog } from "#core/log";
import type { PlanInput } from "#core/planning";
import * as draft from "../../core/test-support/message-builders.ts";
import type { BriefSources } from "../brief/brief-text.ts";
import { stateOf } from "../brief/goal-and-constraints.ts";
import { FILES_ENTRY } from "../files/manifest.ts";
import { defaultToolTable } from "../tool-profiles.ts";

const explores = (name: string, description: string) => [
	draft.model(draft.startExpl(`${name} start`, name)),
	draft.result(`${name} start`, 1),
	draft.model(draft.end(`${name} end`, description)),
	draft.result(`${name} end`, 1),
];

/** The graph of a session with an episode for each description, and one that is still open. */
export function graphOf(descriptions: readonly string[], open?: string) {
	const drafts = descriptions.flatMap((description, at) => explores(`e${at}`, description));
	const begun = open === undefined ? [] : [draft.model(draft.startExpl("open", open)), draft.result("open")];
	return foldTranscript(draft.build([draft.person(), ...drafts, ...begun]), defaultToolTable);
}

/** The sources of a brief of such a session, whose open episode is `look`. */
export function sourcesOf(descriptions: readonly string[], more: Partial<BriefSources> = {}): BriefSources {
	const graph = graphOf(descriptions, "look");
	const input: PlanInput = {
		graph,
		view: viewOfLog([]),
		tools: defaultToolTable,
		...{ fixed: { system: 0, tools: 0 }, budget: 80_000, countMarker: (text) => text.length },
	};
	return {
		input,
		goal: { text: "ship it", isDone: false },
		branch: [
			{ type: "custom", customType: FILES_ENTRY, data: { files: { "src/a.ts": "3:abc" } } },
			{ type: "message", id: "m2" },
		],
		state: stateOf({ task: "parse", constraints: ["no network"], notedConstraints: ["Node 20"] }),
		session: "s1",
		cwd: "/w",
		savedAt: "2026-11-22T00:00:00.000Z",
		text: undefined,
		...more,
	};
}
