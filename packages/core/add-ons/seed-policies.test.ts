import { expect, test } from "vitest";
import type { Policy } from "../planning/policy.ts";
import { cwl } from "../policies/cwl.ts";
import * as draft from "../test-support/message-builders.ts";
import { passOver } from "../test-support/small-sessions.ts";
import type { Item } from "../transcript/transcript.ts";
import { fifo, semanticMerge } from "./seed-policies.ts";

const { answered, call, episodeOf, labelOf, model, person, result, startExpl, text } = draft;

const end = (id: string, keep: boolean) =>
	call(id, "delimiter", { action: "end", description: "found", ...(keep && { keep }) });

function reads(id: string, tokens = 100): readonly draft.MessageDraft[] {
	return [model(call(id, "read", { path: `${id}.ts` })), result(id, tokens - 10)];
}

/** One pass, with the labels of what it evicted. */
function passOf(policy: Policy, drafts: readonly draft.MessageDraft[], share: number, texts: Texts = {}) {
	const textOf = (item: Item) => texts[labelOf(item)] ?? labelOf(item);
	const { pass: made, ...rest } = passOver(policy, drafts, (total) => ({
		budget: Math.floor(share * total),
		lowWater: 0.9,
		textOf,
	}));
	return { ...rest, made };
}

type Texts = Readonly<Record<string, string>>;

function sessionWith(keep: boolean): readonly draft.MessageDraft[] {
	return [
		person(),
		...answered(1, startExpl("s1", "limits")),
		...reads("a"),
		...answered(1, end("e1", keep)),
		...answered(1, startExpl("s2", "names")),
		...reads("b"),
		...reads("c"),
		...answered(1, end("e2", false)),
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

test("words of other episodes leave before the calls of a kept one", () => {
	const session = [
		person(),
		...answered(1, startExpl("s1", "limits")),
		...reads("a"),
		...answered(1, end("e1", true)),
		...answered(1, startExpl("s2", "names")),
		model(text(300)),
		...reads("b"),
		person(1),
		model(text(100)),
	];
	const { evicted } = passOf(cwl, session, 0.6);
	expect(evicted).toEqual(["text", "b", "b result"]);
});

const log = Array.from({ length: 30 }, (_, at) => `step ${at} of the long build went well`).join("\n");
const polled: readonly draft.MessageDraft[] = [
	person(),
	...answered(1, startExpl("s1", "watch")),
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
		0.85,
		{ "old result": `${log}\nstatus pending`, "new result": `${log}\nstatus done` },
	);
	expect(inOpen.evicted).toEqual(["old", "old result"]);
	const marker = inOpen.made?.strips[0]?.marker;
	expect(marker?.text).toMatch(
		/^\[merged into later outputs: read "old\.ts", as read "new\.ts" of "unmarked-\w+" but for -"status pending" \+"status done"; recall "unmarked-\w+"\]$/,
	);
	expect(inOpen.made?.after).toBe(inOpen.made && inOpen.made.before - 400 + (marker?.tokens ?? 0));
});

/** The lines in the places of outputs that gave way to younger ones like them. */
function linesFor(texts: Texts, share = 0.95) {
	const ids = Object.keys(texts);
	const named = Object.fromEntries(ids.map((id) => [`${id} result`, texts[id] ?? ""]));
	const session = [person(), ...ids.flatMap((id) => reads(id, 400)), person(1), model(text(200))];
	const { made } = passOf(semanticMerge, session, share, named);
	const lines = made?.strips.flatMap(({ marker }) => (marker ? [marker.text] : [])) ?? [];
	return lines.filter((line) => line.startsWith("[merged"));
}

test("semantic-merge names each output of an episode that gave way, and the copy that is left of several", () => {
	const other = log.replaceAll("build", "test run");
	const [line = ""] = linesFor({ a: log, b: other, a2: log, b2: other }, 0.65);
	expect(line).toContain('read "a.ts", same as read "a2.ts" of');
	expect(line).toContain('; read "b.ts", same as read "b2.ts" of');
	const [chain = ""] = linesFor({ first: log, second: log, third: log }, 0.55);
	expect(chain).toContain('read "first.ts", same as read "third.ts" of');
	expect(chain).toContain('; read "second.ts", same as read "third.ts" of');
});

test("semantic-merge shows six changed lines and counts the others", () => {
	const changed = (count: number) => {
		const lines = Array.from({ length: 60 }, (_, at) => `step ${at} of the long build went well`);
		return [...lines, ...Array.from({ length: count }, (_, at) => `failed ${at}`)].join("\n");
	};
	const [six = "", seven = ""] = [6, 7].map((count) => linesFor({ old: changed(count), new: changed(0) })[0]);
	expect(six).toContain('but for -"failed 0"');
	expect(six).toContain('-"failed 5";');
	expect(seven).toContain('-"failed 5" and 1 more;');
});

test("semantic-merge takes two outputs for one from a similarity of .85 on", () => {
	const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");
	// 17 of 20 runs of four words, and 16 of 19.
	expect(linesFor({ older: log, old: words(20), new: words(23) })).toHaveLength(1);
	expect(linesFor({ older: log, old: words(19), new: words(22) })).toEqual([]);
});
