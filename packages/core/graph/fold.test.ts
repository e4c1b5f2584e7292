import fc from "fast-check";
import { expect, test } from "vitest";
import { comparable, everyItem } from "../test-support/inspection.ts";
import * as draft from "../test-support/message-builders.ts";
import { writeSession } from "../test-support/session-writer.ts";
import { anySession } from "../test-support/sessions.ts";
import { testTools } from "../test-support/tools.ts";
import { createFold, foldTranscript } from "./fold.ts";

const { call, contents, end, episodeOf, exchange, failure, fold, model } = draft;
const { note, person, result, shell, silence, startAct, startExpl, text } = draft;

const looked = [
	person(),
	...exchange(startExpl("s1", "look"), call("r1", "read")),
	...exchange(end("e1", "found it")),
];

test("calls and results between start and end belong to the episode, the delimiter's own included", () => {
	const graph = fold(...looked);
	expect(contents(graph)).toEqual({ look: ["s1", "s1 result", "r1", "r1 result", "e1", "e1 result"] });
	expect(episodeOf(graph, "look")).toMatchObject({
		id: "look",
		kind: "expl",
		origin: "declared",
		state: "closed",
		description: "found it",
		turn: 1,
		tokens: 60,
	});
	expect(graph.annotated).toBe(true);
});

test("what the model states stands for work that it does not describe itself", () => {
	const edit = call("w", "edit");
	const graph = fold(
		person(),
		...exchange(text(10, "Found: a."), call("r0", "read")),
		...exchange(startExpl("s1", "look"), text(10, "Found: b.")),
		...exchange(end("e1", "found it"), startAct("s2", "fix", "look"), text(10, "Decided: c."), edit),
		...exchange(text(10, "Open: d."), end("e2")),
	);
	const found = ["Found: a.", "found it", "Decided: c.\nOpen: d."];
	expect(graph.episodes.map(({ description }) => description)).toEqual(found);
});

test.each([
	["that its result rejects", end("e", "found it"), failure("e")],
	["that has no result", end("e", "found it"), note()],
	["that the protocol does not allow, whatever its result says", startExpl("e", "more"), result("e")],
])("a delimiter call %s changes nothing", (_, delimiter, answer) => {
	const graph = fold(person(), ...exchange(startExpl("s1", "look")), model(delimiter), answer);
	expect(graph.episodes.map(({ name, state }) => [name, state])).toEqual([["look", "open"]]);
	expect(graph.protocol.open?.name).toBe("look");
});

test("a dependency that the transcript no longer holds is dropped", () => {
	const graph = fold(...looked, ...exchange(startAct("s2", "fix", "compacted", "look")));
	expect(episodeOf(graph, "fix").dependencies).toEqual(["look"]);
});

test("everything before the model's first word is prologue, results without a call included", () => {
	const before = [note(1), person(2), shell(3), silence(), result("compacted", 4)];
	const graph = fold(...before, model(text(5)), note(6));
	expect(graph.prologue.map((item) => item.tokens)).toEqual([1, 2, 3, 4]);
	expect(graph.prologueTokens).toBe(10);
	expect(contents(graph)).toEqual({ "unmarked-1": ["text", "note"] });
});

test("the last message of the model begins the exchange in progress", () => {
	expect(fold(person()).lastExchange).toBe(-1);
	expect(fold(person(), model(text()), person()).lastExchange).toBe(1);
	expect(fold(person(), ...exchange(call("r", "read")), model(text())).lastExchange).toBe(3);
});

test("every item has exactly one place, and the sizes add up", () => {
	fc.assert(
		fc.property(anySession, (session) => {
			const messages = writeSession(session);
			const graph = foldTranscript(messages, testTools);
			const inEpisodes = graph.episodes.flatMap(({ items }) => items);
			const placed = [...graph.prologue, ...graph.userMessages, ...inEpisodes];
			const ids = everyItem(messages).map((item) => item.id);
			expect(placed.map((item) => item.id).toSorted()).toEqual(ids.toSorted());
			for (const { items, tokens } of graph.episodes) {
				expect(items.reduce((sum, item) => sum + item.tokens, 0)).toBe(tokens);
			}
		}),
	);
});

test("reading at any moment leaves no trace: live and resumed sessions have the same graph", () => {
	fc.assert(
		fc.property(anySession, fc.array(fc.boolean(), { minLength: 1 }), (session, reads) => {
			const live = createFold(testTools);
			const messages = writeSession(session);
			messages.forEach((message, index) => {
				live.append(message);
				if (!reads[index % reads.length]) return;
				const anew = foldTranscript(messages.slice(0, index + 1), testTools);
				expect(comparable(live.read())).toEqual(comparable(anew));
			});
			expect(comparable(live.read())).toEqual(comparable(foldTranscript(messages, testTools)));
		}),
	);
});

test("a tool loop begins after the last word of a person or the host, and silence is none", () => {
	const work = [...exchange(call("a", "read"))];
	expect(fold(person(), ...work).openLoop).toBe(1);
	expect(fold(person(), ...work, note(), ...work).openLoop).toBe(4);
	expect(fold(person(), ...work, silence(), ...work).openLoop).toBe(1);
});

test("in a session that begins with the model, what a person says next is a user turn and no prologue", () => {
	const graph = fold(model(text()), person(5));
	expect([graph.prologueTokens, graph.userTokens]).toEqual([0, 5]);
});
