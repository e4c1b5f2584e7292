import { expect, test } from "vitest";
import { foldTranscript } from "../graph/fold.ts";
import { build, call, model, person, result } from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { testTools } from "../test-support/tools.ts";
import type { Pass } from "./pass.ts";
import { readLog, recountLines } from "./read-log.ts";

const use = (id: string) => [model(call(id, "read", {}, 10)), result(id, 90)];
const messages = build([person(), ...use("a"), person(), ...use("b"), person()]);
const graph = foldTranscript(messages, testTools);
const [first, second] = graph.episodes.map(({ id }) => id);

/** A pass that took the first call, and says that it freed so much. */
function passOf(tokens: number, change: Partial<Pass> = {}): Pass {
	const marker = { anchor: "1.0", text: "four", tokens };
	const strips = [{ episode: first ?? "", level: 4 as const, items: ["1.0"], tokens, marker }];
	return passWith({ strips, ...change });
}

test("a log is read by the items that are there, not by the sizes that it states", () => {
	const view = readLog([passOf(7)], graph).read();
	expect(view.removedTokens).toBe(100);
	expect(view.episodes.get(first ?? "")).toMatchObject({ level: 4, removedTokens: 100 });
	const later = foldTranscript(messages.slice(3), testTools);
	expect(readLog([passOf(7)], later).read().removedTokens).toBe(0);
	expect(readLog([], graph).read().episodes.size).toBe(0);
});

test("lines count what they are, in strips and in the index; a strip without a line gets none", () => {
	const counted = recountLines(passOf(7), (text) => text.length);
	expect(counted.strips[0]?.marker?.tokens).toBe(4);
	expect(counted).not.toHaveProperty("folds");
	const bare = passOf(7, { strips: [{ episode: second ?? "", level: 3, items: ["4.0"], tokens: 7 }] });
	expect(recountLines(bare, () => 1)).toEqual(bare);
	const line = { episodes: [first ?? "", second ?? ""], marker: { anchor: "1.0", text: "both", tokens: 0 } };
	const grouped = recountLines(passOf(7, { folds: [line] }), (text) => text.length);
	expect(grouped.folds).toEqual([{ ...line, marker: { ...line.marker, tokens: 4 } }]);
});
