import fc from "fast-check";
import { expect, test } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import { computeLedger, totalTokens } from "../ledger/ledger.ts";
import { project } from "../projection/projection.ts";
import { sentItems } from "../test-support/inspection.ts";
import * as draft from "../test-support/message-builders.ts";
import { passTaking, passWith } from "../test-support/passes.ts";
import { writeSession } from "../test-support/session-writer.ts";
import { anySession } from "../test-support/sessions.ts";
import { requestsOf } from "../test-support/simulation.ts";
import { testTools } from "../test-support/tools.ts";
import { sumTokens, type TranscriptMessage } from "../transcript/transcript.ts";
import type { Marker, Pass } from "./pass.ts";
import { readLog, recountEpisodes, recountLines, recountReductions } from "./read-log.ts";
import { linesOf, removedTokens, viewOfLog } from "./view.ts";

const { answered, build, call, exchange, model, person, text } = draft;

const use = (id: string) => answered(90, call(id, "read"));
const messages = build([person(), ...use("a"), person(), ...use("b"), person()]);
const graph = foldTranscript(messages, testTools);
const [first, second] = graph.episodes.map(({ id }) => id);

/** A pass that took the first call, and says that it freed so much. */
function passOf(tokens: number, change: Partial<Pass> = {}): Pass {
	const marker = { anchor: "1.0", text: "four", tokens };
	const strips = [{ episode: first ?? "", level: 4 as const, items: ["1.0"], tokens, marker }];
	return passWith({ strips, ...change });
}

test("a forged pass that takes a call takes the result that came twice too, unless that came after the pass", () => {
	const twice = draft.fold(person(), ...use("a"), draft.result("a", 7), person(), ...use("b"));
	expect(removedTokens(readLog([passOf(7)], twice))).toBe(107);
	expect(removedTokens(readLog([passOf(7, { newest: "2.0" })], twice))).toBe(100);
});

test("lines count what they are, in strips and in the index; a strip without a line gets none", () => {
	const counted = recountLines(passOf(7), (text) => text.length);
	expect(counted.strips[0]?.marker?.tokens).toBe(4);
	expect(counted).not.toHaveProperty("indexLines");
	const bare = passOf(7, { strips: [{ episode: second ?? "", level: 3, items: ["4.0"], tokens: 7 }] });
	expect(recountLines(bare, () => 1)).toEqual(bare);
	const line = { episodes: [first ?? "", second ?? ""], marker: { anchor: "1.0", text: "both", tokens: 0 } };
	const grouped = recountLines(passOf(7, { indexLines: [line] }), (text) => text.length);
	expect(grouped.indexLines).toEqual([{ ...line, marker: { ...line.marker, tokens: 4 } }]);
});

const fixed = { system: 0, tools: 0 };

/** The messages that are left of a list when the host has compacted its beginning. */
function compacted(messages: readonly TranscriptMessage[], kept: number): readonly TranscriptMessage[] {
	return messages
		.slice(messages.length - kept)
		.map(({ author, items }, message) => ({ author, items: items.map((item) => ({ ...item, message })) }));
}

test("accounts counted anew add up to what is sent, wherever the host has cut its list", () => {
	fc.assert(
		fc.property(anySession, fc.nat(40), (session, cut) => {
			const last = [...requestsOf(writeSession(session), { budget: 0 })].at(-1);
			if (!last) return;
			const messages = compacted(last.messages, Math.max(0, last.messages.length - cut));
			const graph = foldTranscript(messages, testTools);
			const view = readLog(last.log, graph);
			const parts = project(graph, view);
			const sent = sumTokens(sentItems(messages, parts));
			const lines = parts.flatMap((part) => (part.type === "marker" ? part.text.split("\n") : []));
			const { total, markers } = computeLedger({ graph, view, fixed });
			// Lines wait for a place where they do not part a call from its result.
			const isAtEnd = ({ anchor }: Marker) => messages.at(-1)?.items.some(({ id }) => id === anchor) === true;
			const said = linesOf(view).filter((line) => lines.includes(line.text) || isAtEnd(line));
			expect(markers).toBe(sumTokens(said));
			expect(totalTokens({ graph, view, fixed })).toBe(total);
			expect(total - markers).toBeGreaterThanOrEqual(sent);
			const hidden = total - markers - sent;
			// Reasoning without a follower is not sent, nor is what had gone and now stands before the model's first word.
			const reasoning = messages.flatMap(({ items }) => items.filter((item) => item.type === "reasoning"));
			expect(hidden).toBeLessThanOrEqual(sumTokens(reasoning) + sumTokens(graph.prologue));
		}),
	);
});

test("accounts counted anew for the graph they were made for change nothing", () => {
	fc.assert(
		fc.property(anySession, (session) => {
			for (const { graph, view } of requestsOf(writeSession(session), { budget: 0 })) {
				const again = recountEpisodes(graph, view);
				for (const [id, account] of again) expect(account).toEqual(view.episodes.get(id));
			}
		}),
	);
});

test("an episode that a compaction gave another name is evicted once all of it is gone, unless it may still grow", () => {
	const work = ["a", "b"].flatMap((id) => exchange(call(id, "read")));
	const whole = build([person(), ...work, person(), model(text())]);
	const levelAfter = (items: readonly string[], end = whole.length) => {
		const graph = foldTranscript(whole.slice(0, end), testTools);
		const counted = recountEpisodes(graph, viewOfLog([passTaking("before", items, 20)]));
		return [counted.get("before")?.removedTokens, counted.get(graph.episodes[0]?.id ?? "")?.level];
	};
	expect(levelAfter(["1.0", "3.0"])).toEqual([0, 4]);
	expect(levelAfter(["1.0"])).toEqual([0, 1]);
	expect(levelAfter(["1.0", "3.0"], 5)).toEqual([0, 1]);
	expect(levelAfter([])).toEqual([0, undefined]);
});

test("a line counts where its place is in the list, and not where the host has compacted that away", () => {
	const graph = draft.fold(person(), ...exchange(call("a", "read")), model(text()));
	const [run] = graph.episodes;
	const markerAt = (anchor: string) => {
		const marker = { anchor, text: "gone", tokens: 3 };
		const view = viewOfLog([passTaking(run?.id ?? "", ["1.0"], 20, { level: 4, marker })]);
		return recountEpisodes(graph, view).get(run?.id ?? "")?.marker?.text;
	};
	expect([markerAt("1.0"), markerAt("elsewhere")]).toEqual(["gone", undefined]);
});

test("a line of several episodes counts where its place is in the list, and not where the host has compacted that away", () => {
	const markersAt = (anchor: string) => {
		const line = { episodes: [first ?? "", second ?? ""], marker: { anchor, text: "both", tokens: 4 } };
		return computeLedger({ graph, view: readLog([passOf(7, { indexLines: [line] })], graph), fixed }).markers;
	};
	expect([markersAt("1.0"), markersAt("elsewhere")]).toEqual([4, 0]);
});

test("a reduced output saves at most what it has, and nothing where it is not in the list", () => {
	const graph = draft.fold(person(), ...use("a"));
	const saved = (item: string, tokens: number) => {
		const view = viewOfLog([passWith({ reductions: [{ episode: "e", item, form: 1, tokens }] })]);
		return recountReductions(graph, view).get(item)?.tokens;
	};
	expect([saved("1.0", 60), saved("1.0", 95), saved("9.0", 60)]).toEqual([60, 90, 0]);
});
