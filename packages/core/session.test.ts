import { expect, test } from "vitest";
import { CwlError } from "#basics";
import { createSession } from "./session.ts";
import { build, call, end, model, person, result, startExpl, text } from "./test-support/message-builders.ts";
import { testTools } from "./test-support/tools.ts";

const options = { budget: 600, countTokens: (line: string) => Math.ceil(line.length / 4), tools: testTools };

const exchange = (id: string) => [model(call(id, "read")), result(id, 90)];
const drafts = [
	person(10),
	model(startExpl("s", "look")),
	result("s"),
	...["a", "b", "c", "d"].flatMap(exchange),
	model(end("e", "found it")),
	result("e"),
	person(10),
	...["f", "g", "h"].flatMap(exchange),
	model(text(5)),
];
const messages = build(drafts);

function run(upTo = messages.length) {
	const session = createSession(options);
	for (let length = 1; length <= upTo; length += 1) {
		session.sync(messages.slice(0, length));
		const pass = session.plan();
		if (pass) session.commit(pass);
	}
	return session;
}

test("the size is that of the messages, and of system prompt and tools where the host names them", () => {
	const session = createSession(options);
	session.sync(messages.slice(0, 2));
	expect(session.tokens()).toBe(20);
	session.configure({ fixed: { system: 300, tools: 50 } });
	expect(session.tokens()).toBe(370);
});

test("planning and measuring change nothing", () => {
	const session = createSession(options);
	session.sync(messages.slice(0, 8));
	const before = structuredClone(session.request());
	session.plan();
	session.health();
	expect(session.request()).toEqual(before);
	expect(session.state().log).toEqual([]);
});

test("the same transcript and log give the same request in another process, whichever comes first", () => {
	const session = run();
	const log = JSON.parse(JSON.stringify(session.state().log));
	const later = createSession(options);
	const earlier = createSession(options);
	later.sync(messages);
	later.restore(log);
	earlier.restore(log);
	earlier.sync(messages);
	for (const resumed of [later, earlier]) {
		expect(resumed.request()).toEqual(session.request());
		expect(resumed.tokens()).toBe(session.tokens());
	}
});

test.each([
	["shorter", 9, 6],
	["as long", 6, 6],
	["longer", 6, 9],
])(
	"another branch that is %s is told by the ids of its items, and read from its beginning",
	(_, before, length) => {
		const session = createSession(options);
		session.sync(messages.slice(0, before));
		const branch = messages
			.slice(0, length)
			.map((message, index) => (index === 5 ? rename(message) : message));
		session.sync(branch);
		const fresh = createSession(options);
		fresh.sync(branch);
		expect(session.state().graph.messages).toEqual(branch);
		expect(session.tokens()).toBe(fresh.tokens());
		expect(session.request()).toEqual(fresh.request());
	},
);

function rename(message: (typeof messages)[number]) {
	return { ...message, items: message.items.map((item) => ({ ...item, id: `${item.id} on a branch` })) };
}

test("a log that is restored again changes nothing, and messages that follow are read on", () => {
	const session = run(messages.length - 4);
	session.restore(session.state().log);
	session.sync(messages.map((message) => ({ ...message })));
	const resumed = createSession(options);
	resumed.sync(messages);
	resumed.restore(session.state().log);
	expect(session.state().graph.messages).toHaveLength(messages.length);
	expect(session.request()).toEqual(resumed.request());
	expect(session.tokens()).toBe(resumed.tokens());
});

test("the tools that a host describes say what its calls did", () => {
	const session = createSession(options);
	session.sync(build([person(), model(call("w", "edit")), result("w")]));
	expect(session.state().graph.episodes.map(({ kind }) => kind)).toEqual(["act"]);
});

test.each([
	['budget is "60k"', { budget: "60k" }],
	["budget is missing", {}],
	["budget is null", { budget: null }],
	["budget is NaN", { budget: Number.NaN }],
	["budget is 0", { budget: 0 }],
	["countTokens is 4", { budget: 600, countTokens: 4 }],
])(
	"wrong options are refused with a typed error, and a session keeps the options that it has: %s",
	(found, wrong) => {
		const message = expect.stringContaining(found);
		const bad = { countTokens: options.countTokens, ...wrong } as unknown as typeof options;
		expect(() => createSession(bad)).toThrow(CwlError);
		expect(() => createSession(bad)).toThrow(expect.objectContaining({ code: "bad-option", message }));
		if (!("budget" in wrong)) return;
		const session = createSession(options);
		session.sync(messages);
		expect(() => session.configure(wrong as unknown as typeof options)).toThrow(
			expect.objectContaining({ message }),
		);
		expect(session.plan()?.budget).toBe(options.budget);
	},
);

test.each([
	['author is "assistant"', { author: "assistant", items: [] }],
	['type is "tool_use"', { author: "model", items: [{ type: "tool_use", id: "x", message: 0, tokens: 4 }] }],
	["type is missing", { author: "user", items: [{ id: "x", message: 0, tokens: 4 }] }],
	["id is 7", { author: "user", items: [{ type: "user", id: 7, message: 0, tokens: 4 }] }],
	['tokens is "4"', { author: "user", items: [{ type: "user", id: "x", message: 0, tokens: "4" }] }],
	["tokens is NaN", { author: "user", items: [{ type: "user", id: "x", message: 0, tokens: Number.NaN }] }],
	["callId is missing", { author: "tool", items: [{ type: "result", id: "x", message: 0, tokens: 4 }] }],
	["items is missing", { author: "user" }],
])("a malformed message is refused with its place, and the session stays as it was: %s", (found, wrong) => {
	const session = createSession(options);
	session.sync(messages.slice(0, 6));
	const before = structuredClone(session.request());
	const bad = [...messages.slice(0, 6), wrong] as unknown as typeof messages;
	const message = expect.stringMatching(new RegExp(`^message 6: .*${found}`));
	expect(() => session.sync(bad)).toThrow(expect.objectContaining({ code: "bad-message", message }));
	expect(session.request()).toEqual(before);
	session.sync(messages);
	expect(session.state().graph.messages).toEqual(messages);
});

test("the line of an evicted episode names the files of its calls, where the host makes no digests", () => {
	const session = createSession({ ...options, budget: 300 });
	const args = { path: "/home/me/shop/src/part1.ts", paths: ["./lib/a.ts", "b.ts"], query: "no/file.ts" };
	const read = [model(call("x", "read", args)), result("x", 900)];
	const look = [model(startExpl("s", "look")), result("s"), ...read, model(end("e", "seen")), result("e")];
	const next = [person(10), model(startExpl("n", "next")), result("n"), person(10), model(text(5))];
	session.sync(build([person(10), ...look, ...next]));
	const pass = session.plan();
	if (pass) session.commit(pass);
	const lines = session.request().flatMap((part) => (part.type === "marker" ? [part.text] : []));
	expect(lines.join("\n")).toMatch(
		/^\[expl "look", evicted .*: src\/part1\.ts, lib\/a\.ts, b\.ts; recall "look"\] "seen"/,
	);
});

test("items need not know the index of their message: the session sets it", () => {
	const unindexed = messages.map((message) => ({
		...message,
		items: message.items.map((item) => ({ ...item, message: 0 })),
	}));
	const session = createSession(options);
	for (let length = 1; length <= unindexed.length; length += 1) {
		session.sync(unindexed.slice(0, length));
		const pass = session.plan();
		if (pass) session.commit(pass);
	}
	expect(session.state().log.length).toBeGreaterThan(0);
	expect(session.request()).toEqual(run().request());
	const whole = createSession(options);
	whole.sync(unindexed);
	expect(whole.state().graph.messages).toEqual(messages);
});

test.each([
	["the same list", 0],
	["a later call", 4],
])("an id that is used twice in %s is refused by name, and the session stays as it was", (_where, known) => {
	const session = createSession(options);
	session.sync(messages.slice(0, known));
	const [first, ...rest] = messages;
	const twice = [
		...messages.slice(0, 5),
		{ ...messages[5], author: "user", items: first?.items ?? [] },
		...rest.slice(5),
	];
	const sync = () => session.sync(twice as typeof messages);
	expect(sync).toThrow(
		/^message 5: id is ".*", which an item of message 0 has: use an id that no other item has\.$/,
	);
	expect(session.state().graph.messages).toHaveLength(known);
});
