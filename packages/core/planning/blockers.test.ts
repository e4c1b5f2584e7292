import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { findBlockers } from "./make-pass.ts";

const { answered, call, end, fold, model, person, result, startAct, startExpl, text } = draft;

/** A delimiter call of 10 tokens whose result has 1. */
const mark = (item: draft.ItemDraft) => answered(1, item);
const read = (id: string, tokens: number) => answered(tokens - 10, call(id, "read", { path: id }));

const limits = [...mark(startExpl("s1", "limits")), ...read("a", 400), ...mark(end("e1", "found"))];
const names = [...mark(startExpl("s2", "names")), ...read("b", 1_000), ...mark(end("e2", "found"))];
const more = [...mark(startExpl("s4", "more")), ...read("d", 200), ...mark(end("e4", "found"))];
const fix = (...dependencies: readonly string[]) => mark(startAct("s3", "fix", ...dependencies));
const late = [person(50), model(call("late", "read")), person(70), ...limits, person(1)];

type Row = [name: string, session: readonly draft.MessageDraft[], blockers: Readonly<Record<string, number>>];

test.each<Row>([
	[
		"what an open act declared is named with it, to the token, and what nobody needs is in use",
		[...limits, ...names, ...more, person(70), ...fix("limits", "more"), ...read("c", 700)],
		{ "in-use": 1_000 + 22, "open-episode": 700 + 11, dependencies: 400 + 200 + 2 * 22, "user-turns": 70 },
	],
	[
		"of three episodes the first is named where an open act declared it",
		[...limits, ...names, ...fix("limits"), ...read("c", 700)],
		{ "in-use": 1_000 + 22, "open-episode": 700 + 11, dependencies: 400 + 22 },
	],
	[
		"a closed episode is in the exchange in progress by its last item alone",
		[...read("a", 400), model(text(3)), person(70)],
		{ "in-use": 400, "user-turns": 70, exchange: 3 },
	],
	[
		"an episode that began and ended in the last answer is in the exchange in progress, its first item included",
		[model(startExpl("s1", "limits"), end("e1", "found")), result("s1", 20), result("e1", 30)],
		{ exchange: 10 + 10 + 20 + 30 },
	],
	[
		"an open episode is named also after an answer that came empty",
		[...limits, ...fix(), ...read("c", 700), person(70), model()],
		{ "open-episode": 700 + 11, "in-use": 400 + 22, "user-turns": 70 },
	],
	[
		"of a closed episode the exchange in progress is named, and nothing before it",
		[...limits.slice(0, -1), result("e1", 30)],
		{ "in-use": 400 + 11, exchange: 10 + 30 },
	],
	[
		"a result that came late is in the exchange in progress, whatever closed episode its call is in",
		[...late.slice(1), model(text(3)), result("late", 300)],
		{ "in-use": 10 + 400 + 22, exchange: 300, "user-turns": 71, "open-episode": 3 },
	],
])("%s", (_, session, blockers) => {
	const graph = fold(person(50), ...session);
	const found = findBlockers(planInput(graph, { budget: 1_000 }), [], graph.tokens);
	const named = found.map(({ code, tokens }) => [code, tokens]);
	expect(named.filter(([code]) => code !== "prologue")).toEqual(Object.entries(blockers));
	expect(named).toContainEqual(["prologue", 50]);
});
