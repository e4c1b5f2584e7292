import { expect, test } from "vitest";
import { requestsOf, shownBy, textOf } from "../test-support/kept.ts";
import { calls, inOrder, reply, result, says, thinks, user } from "../test-support/messages.ts";

function begin(name: string, dependencies?: readonly string[]) {
	const kind = dependencies ? { type: "act", dependencies } : { type: "expl" };
	return [
		reply(thinks(`about ${name}`), calls(`start-${name}`, "delimiter", { action: "start", name, ...kind })),
		result(`start-${name}`, "ok"),
	];
}

function end(name: string, description?: string) {
	const args = { action: "end", ...(description !== undefined && { description }) };
	return [reply(calls(`end-${name}`, "delimiter", args)), result(`end-${name}`, "ok")];
}

function work(id: string, tool: string, tokens = 100) {
	return [reply(calls(id, tool, { path: "a" })), result(id, textOf(id, tokens))];
}

const expl = (name: string) => [
	...begin(name),
	...work(`look-${name}`, "read"),
	...end(name, `what ${name} found`),
];
const act = (name: string, dependencies: readonly string[]) => [
	...begin(name, dependencies),
	...work(`run-${name}`, "bash"),
	...end(name),
];

const session = inOrder(user("go"), ...expl("one"), ...expl("two"), ...act("change", ["two"]), user("and?"));

test("the oldest goes first whatever its kind, and an expl once its acts are gone", () => {
	// Room for two of three outputs, then for one, then for none.
	expect(shownBy("reference", 600, session)).toContain("look-one");
	const outputs = (budget: number) =>
		shownBy("reference", budget, session).filter((id) => !id.includes("start") && !id.includes("end"));
	expect(outputs(460)).toEqual(["look-two", "run-change"]);
	expect(outputs(340)).toEqual(["look-two"]);
	expect(outputs(230)).toEqual([]);
});

test("an evicted expl leaves the call that began it and nothing of what it found", () => {
	const last = requestsOf("reference", 380, session).at(-1);
	const sent = JSON.stringify(last?.messages);
	expect(sent).not.toContain("what one found");
	expect(sent).toContain("start-one");
	const ids = (last?.messages ?? []).flatMap((message) =>
		message.role === "toolResult" ? [message.toolCallId] : [],
	);
	expect(ids).not.toContain("start-one");
});

test("levels are taken one by one: reasoning, searches, shell, reads, everything", () => {
	const mixed = inOrder(
		user("go"),
		...begin("all"),
		reply(thinks(textOf("hm", 50)), calls("find", "grep")),
		result("find", textOf("find", 50)),
		...work("run", "bash", 50),
		...work("look", "read", 50),
		...end("all", "it is fine"),
		user("on"),
		...begin("open"),
		...work("last", "read", 50),
	);
	const sent = (budget: number) => JSON.stringify(requestsOf("reference", budget, mixed).at(-1)?.messages);
	const left = (budget: number) =>
		["hm 0", "find 0", "run 0", "look 0", "it is fine"].filter((text) => sent(budget).includes(text));
	expect(left(500)).toHaveLength(5);
	const steps = Array.from({ length: 40 }, (_, i) => left(500 - 10 * i).length);
	expect(new Set(steps)).toEqual(new Set([5, 4, 3, 2, 1, 0]));
	expect(steps).toEqual(steps.toSorted((a, b) => b - a));
});

test("what is gone comes back when a later act names it", () => {
	const later = inOrder(...session, ...begin("again", ["one"]), ...work("more", "read", 10));
	const requests = requestsOf("reference", 470, later);
	const shows = requests.map(({ messages }) => JSON.stringify(messages).includes("look-one 0"));
	const gone = shows.indexOf(false, shows.indexOf(true));
	expect(gone).toBeGreaterThan(0);
	expect(shows.indexOf(true, gone)).toBeGreaterThan(gone);
});

test("what nobody marked never leaves a session with marks", () => {
	const unmarked = inOrder(
		user("go"),
		...work("free", "read", 300),
		reply(says("so")),
		...expl("one"),
		user("on"),
	);
	expect(shownBy("reference", 200, unmarked)).toContain("free");
});
