import { expect, test } from "vitest";
import { foldTranscript } from "../../graph/fold.ts";
import { computeLedger } from "../../ledger/ledger.ts";
import { viewOfLog } from "../../log/view.ts";
import { removedBy } from "../../log/whole-calls.ts";
import {
	build,
	call,
	episodeOf,
	labelOf,
	type MessageDraft,
	model,
	person,
	result,
	startExpl,
	text,
} from "../../test-support/message-builders.ts";
import { planInput } from "../../test-support/simulation.ts";
import { testTools } from "../../test-support/tools.ts";
import type { Item } from "../../transcript/transcript.ts";
import type { Policy } from "../policy.ts";
import { cwl } from "./cwl.ts";
import { fifo } from "./fifo.ts";
import { semanticMerge } from "./semantic-merge.ts";

const fixed = { system: 0, tools: 0 };
const end = (id: string, keep: boolean) =>
	call(id, "delimiter", { action: "end", description: "found", ...(keep && { keep }) });

function reads(id: string, tokens = 100): readonly MessageDraft[] {
	return [model(call(id, "read", { path: `${id}.ts` })), result(id, tokens - 10)];
}

/** One pass, with the labels of what it evicted. */
function passOf(policy: Policy, drafts: readonly MessageDraft[], share: number, texts: Texts = {}) {
	const graph = foldTranscript(build(drafts), testTools);
	const { total } = computeLedger(graph, viewOfLog([]), fixed);
	const budget = Math.floor(share * total);
	const textOf = (item: Item) => texts[labelOf(item)] ?? labelOf(item);
	const made = policy.plan({ ...planInput(graph, viewOfLog([]), { budget, fixed }), lowWater: 0.9, textOf });
	const view = viewOfLog(made ? [made] : []);
	const evicted = graph.messages
		.flatMap(({ items }) => items.filter(removedBy(graph, (id) => view.removed.has(id))))
		.map(labelOf);
	return { graph, made, evicted };
}

type Texts = Readonly<Record<string, string>>;

function sessionWith(keep: boolean): readonly MessageDraft[] {
	return [
		person(),
		model(startExpl("s1", "limits")),
		result("s1", 1),
		...reads("a"),
		model(end("e1", keep)),
		result("e1", 1),
		model(startExpl("s2", "names")),
		result("s2", 1),
		...reads("b"),
		...reads("c"),
		model(end("e2", false)),
		result("e2", 1),
		person(1),
		model(text(100)),
	];
}

test.each([cwl, fifo, semanticMerge])(
	"$name evicts an episode that the model marked to keep last",
	(policy) => {
		expect(passOf(policy, sessionWith(false), 0.8).evicted).toContain("a");
		const { graph, evicted } = passOf(policy, sessionWith(true), 0.8);
		expect(episodeOf(graph, "limits").isKept).toBe(true);
		expect(evicted).not.toContain("a");
		expect(evicted).toContain("b");
	},
);

test("a kept episode leaves all the same when nothing else is left, so that no model can break the budget", () => {
	const { made, evicted } = passOf(cwl, sessionWith(true), 0.4);
	expect(evicted).toContain("a");
	expect(made?.after).toBeLessThanOrEqual(made?.budget ?? 0);
});

const log = Array.from({ length: 30 }, (_, at) => `step ${at} of the long build went well`).join("\n");
const polled: readonly MessageDraft[] = [
	person(),
	model(startExpl("s1", "watch")),
	result("s1", 1),
	...reads("old", 400),
	...reads("other", 400),
	...reads("new", 400),
	person(1),
	model(text(200)),
];

test("semantic-merge keeps the youngest of two like outputs, and a line with their difference for the other", () => {
	const closed = polled.toSpliced(-2, 0, model(end("e1", true)), result("e1", 1));
	const inOpen = passOf(
		semanticMerge,
		[...closed.slice(0, 1), ...closed.slice(3, -4), ...closed.slice(-2)],
		0.8,
		{
			"old result": `${log}\nstatus pending`,
			"new result": `${log}\nstatus done`,
		},
	);
	expect(inOpen.evicted).toEqual(["old", "old result"]);
	const marker = inOpen.made?.strips[0]?.marker;
	expect(marker?.text).toMatch(
		/^\[merged into later outputs: read "old\.ts", as read "new\.ts" of "unmarked-\w+" but for -"status pending" \+"status done"; recall "unmarked-\w+"\]$/,
	);
	expect(inOpen.made?.after).toBe(inOpen.made && inOpen.made.before - 400 + (marker?.tokens ?? 0));
});

test("semantic-merge says so when the younger output is the same", () => {
	const session = [...polled.slice(0, 1), ...polled.slice(3)];
	const { made } = passOf(semanticMerge, session, 0.8, { "old result": log, "new result": log });
	expect(made?.strips[0]?.marker?.text).toContain('read "old.ts", same as read "new.ts" of');
});
