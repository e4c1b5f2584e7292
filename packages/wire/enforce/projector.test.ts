import {
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { fieldsOf } from "#basics";
import { anthropicRules } from "#testing/provider-rules";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { openStore } from "../pass-store.ts";
import { projectBody, readingSession, smallProjector } from "../test-support/small-requests.ts";

const BUDGET = 1_000;

/** The texts of a body's messages, in order. */
function messagesOf(body: Buffer): readonly { readonly role: string; readonly content: unknown }[] {
	return JSON.parse(body.toString()).messages;
}

/** A reading session in which a message of the user follows each fifth read. */
function askedSession(exchanges: number): object {
	const { messages, ...rest } = fieldsOf(readingSession(exchanges));
	const asked = (Array.isArray(messages) ? messages : []).flatMap((message, at) =>
		at > 0 && at % 10 === 0
			? [message, { role: "assistant", content: "Read." }, { role: "user", content: "More." }]
			: [message],
	);
	return { ...rest, messages: asked };
}

describe("an automatic budget", () => {
	const CAP = 10_000;
	/** Sizes after the passes of a session on this model, and the largest request. The user asks for more after each fifth read. */
	const run = (model: string, isAuto = true) => {
		const projector = smallProjector(CAP, undefined, { isAuto });
		const after: number[] = [];
		let largest = 0;
		for (let n = 1; n <= 200; n += 1) {
			const { pass, sent } = projectBody(projector, { ...askedSession(n), model });
			if (pass) after.push(sent);
			largest = Math.max(largest, sent);
		}
		return { after, largest };
	};

	test("begins passes below its cap, where they pay, as a fixed budget does", () => {
		for (const isAuto of [true, false]) {
			const { after, largest } = run("claude-opus-5-5", isAuto);
			expect(after.length).toBeGreaterThan(1);
			expect(largest).toBeLessThan(0.75 * CAP);
		}
	});

	test("waits longer with a pass, the less a cached token costs on the model that the request names", () => {
		expect(run("claude-fable-5-2").largest).toBeGreaterThan(run("claude-opus-4-8").largest);
	});
});

test("later requests begin with the messages that were sent, and a pass says how much of them it left as it was", () => {
	const projector = smallProjector(BUDGET);
	const whole = smallProjector(Number.MAX_SAFE_INTEGER);
	// A line counts with its offer of a recall, which agents without the tool do not get.
	const session = (n: number) => ({ ...readingSession(n), tools: [{ name: "mcp__cwl__recall" }] });
	let before: readonly unknown[] = [];
	const kept: number[] = [];
	for (let n = 1; n <= 60; n += 1) {
		const { body, pass, unchanged, sent } = projectBody(projector, session(n));
		const messages = messagesOf(body);
		const at = messages.findIndex((message, index) => !isDeepStrictEqual(message, before[index]));
		const upTo = (end: number) =>
			projectBody(whole, { ...session(n), messages: messages.slice(0, end) }).received;
		if (pass) kept.push(at);
		else expect(messages.slice(0, before.length)).toEqual(before);
		// The first change may stand in the middle of a message.
		expect(unchanged).toBeGreaterThanOrEqual(pass ? upTo(at) : sent);
		expect(unchanged).toBeLessThanOrEqual(pass ? upTo(at + 1) : sent);
		before = messages;
	}
	expect(kept.length).toBeGreaterThan(3);
	expect(Math.max(...kept)).toBeGreaterThan(1);
});

test("a provider that counts more framing than the budget has room for still gets what was evicted left out", () => {
	const project = smallProjector(BUDGET);
	const session = (exchanges: number) => readingSession(exchanges, 400, "x".repeat(8 * BUDGET));
	const { sent, pass, onUsage } = projectBody(project, session(12));
	onUsage({ input_tokens: 2.9 * sent });
	const next = projectBody(project, session(13));
	expect(pass).toBeDefined();
	expect(next.body.length).toBeLessThan(JSON.stringify(session(12)).length);
});

test("what a user wrote is never removed, in whatever message it stands", () => {
	const asked = "Please also keep this. ".repeat(40);
	const session = readingSession(12) as { messages: { role: string; content: unknown }[] };
	const [, , second] = session.messages;
	if (!second || !Array.isArray(second.content)) throw new Error("no result");
	second.content.push({ type: "text", text: asked });
	const { body, pass } = projectBody(smallProjector(BUDGET), session);
	expect(pass).toBeDefined();
	expect(body.toString()).toContain(asked);
	expect(body.toString()).toContain("Fix the tests.");
	expect(body.toString()).not.toContain('toolu_1"');
});

test("a system message inside the conversation keeps its text, and a place in which the provider takes it", () => {
	const session = readingSession(12) as { messages: object[] };
	for (const at of [23, 21, 13, 5])
		session.messages.splice(at, 0, { role: "system", content: `Reminder ${at}.` });
	const { body, pass } = projectBody(smallProjector(BUDGET), { ...session, model: "claude-fable-5-2" });
	expect(pass).toBeDefined();
	const texts = messagesOf(body).map((message) => JSON.stringify(message));
	for (const at of [23, 21, 13, 5]) expect(texts.join()).toContain(`Reminder ${at}.`);
	expect(texts.join()).toContain("<system-reminder>");
	const sent = fieldsOf(JSON.parse(body.toString()));
	expect(anthropicRules.flatMap((rule) => rule(sent)?.message ?? [])).toEqual([]);
});

describe("sessions are told apart by what they hold", () => {
	test("a fork from before a pass has none of it, and one from after it has it", () => {
		const projector = smallProjector(BUDGET);
		let passAt = 0;
		for (let n = 1; n <= 12 && passAt === 0; n += 1)
			if (projectBody(projector, readingSession(n)).pass) passAt = n;
		const early = projectBody(projector, readingSession(passAt - 1));
		expect(early.sent).toBe(early.received);
		const late = readingSession(passAt) as { messages: object[] };
		late.messages.push({ role: "assistant", content: "Done." }, { role: "user", content: "And now?" });
		const fork = projectBody(projector, late);
		expect([fork.pass, fork.sent < fork.received]).toEqual([undefined, true]);
	});

	test("a result that the agent shortened keeps the passes", () => {
		const projector = smallProjector(BUDGET);
		// Only an id that its provider drew says that the shortened result is the same one.
		const drawn = JSON.stringify(readingSession(12)).replaceAll("toolu_", "toolu_01T1x1fJ34qAmk2tNTrN7");
		const session: { messages: { role: string; content: unknown }[] } = JSON.parse(drawn);
		const { sent } = projectBody(projector, session);
		const cleared = structuredClone(session);
		const message = cleared.messages[2];
		if (!message || !Array.isArray(message.content)) throw new Error("no result");
		message.content[0].content = "[cleared]";
		const again = projectBody(projector, cleared);
		expect(again.pass).toBeUndefined();
		expect(again.sent).toBe(sent);
	});
});

test("an endpoint that counts tokens makes no pass, and counts what will be sent after one", () => {
	const projector = smallProjector(BUDGET);
	const counted = projectBody(projector, readingSession(12), "/v1/messages/count_tokens");
	expect([counted.pass, counted.sent]).toEqual([undefined, counted.received]);
	const asked = projectBody(projector, readingSession(12));
	const after = projectBody(projector, readingSession(12), "/v1/messages/count_tokens");
	expect(after.body.equals(asked.body)).toBe(true);
});

describe("on disk", () => {
	let folder: string;
	let warnings: string[];
	const open = () =>
		smallProjector(
			BUDGET,
			openStore(folder, (line) => warnings.push(line)),
		);

	beforeEach(() => {
		folder = createScratch();
		warnings = [];
	});
	const file = () => join(folder, readdirSync(folder)[0] ?? "");

	test("a proxy that shares the store, and one that starts again, send the same bytes at every length", () => {
		const proxies = [open(), open()];
		for (let n = 1; n <= 40; n += 1) {
			const session = readingSession(n);
			const turns = n % 2 === 0 ? proxies : proxies.toReversed();
			const [one, ...others] = [...turns, open()].map((proxy) => projectBody(proxy, session));
			expect(others.map(({ body }) => body)).toEqual([one?.body, one?.body]);
			expect(others.map(({ pass }) => pass)).toEqual([undefined, undefined]);
		}
		expect(warnings).toEqual([]);
	});

	test("a pass that a killed process wrote in part is made again, the same", () => {
		const { body } = projectBody(open(), readingSession(12));
		const { length } = readFileSync(file());
		for (const cut of [1, 2, 50, length - 2]) {
			truncateSync(file(), length - cut);
			expect(projectBody(open(), readingSession(12)).body.equals(body)).toBe(true);
			writeFileSync(file(), readFileSync(file()).subarray(0, 0));
			projectBody(open(), readingSession(12));
		}
	});

	test.each<[what: string, damaged: RegExp, by: string]>([
		["its key", /strips/, "stripz"],
		["the size of what was evicted", /(strips.*?tokens\W+)\d+/, "$17"],
		["the evicted items", /(strips.*?items\W+\[).*?\]/, "$1]"],
		["the conversation that it belongs to", /(at\W+)\w/, "$1_"],
	])(
		"a line in which %s is damaged is named, also while it is JSON, and the passes after it hold",
		(_, damaged, by) => {
			const running = open();
			for (let n = 1; n <= 40; n += 1) projectBody(running, readingSession(n));
			const text = readFileSync(file(), "utf8");
			const changed = text.replace(damaged, by);
			expect(changed).not.toBe(text);
			for (const line of changed.split("\n")) if (line !== "") JSON.parse(line);
			writeFileSync(file(), changed);
			const { sent } = projectBody(open(), readingSession(40));
			expect(warnings).toMatchObject([expect.stringMatching(/has a damaged line: a pass is lost/)]);
			expect(sent).toBeLessThanOrEqual(BUDGET);
		},
	);

	test("on a full disk no pass takes effect, those that were kept hold, and they go on when there is room again", () => {
		const running = open();
		const elsewhere = createScratch();
		const { body: kept } = projectBody(running, readingSession(12));
		const other = Buffer.from(JSON.stringify(readingSession(12, 400, "Another task.")));
		const { body: evicted } = projectBody(
			smallProjector(
				BUDGET,
				openStore(elsewhere, () => {}),
			),
			other,
		);
		const file = join(folder, readdirSync(elsewhere)[0] ?? "");
		symlinkSync("/dev/full", file);
		expect(projectBody(running, other).body).toBe(other);
		expect(warnings).toEqual([`${file} cannot be written (ENOSPC): nothing is evicted until it can.`]);
		expect(projectBody(running, readingSession(12)).body).toEqual(kept);
		rmSync(file);
		expect(projectBody(running, other).body).toEqual(evicted);
	});

	test("nobody else may read it", () => {
		projectBody(open(), readingSession(12));
		expect(statSync(file()).mode & 0o077).toBe(0);
	});
});

test.each([
	["no JSON", "{", "the body is no JSON object"],
	["a list", "[]", "the body is no JSON object"],
	["no messages", '{"model":"m"}', 'the body has no list "messages"'],
	["a key that is no JSON", '{"model":m,"messages":[]}', "the body is no valid JSON"],
	["a message that is no object", '{"messages":[1]}', "a message has a form that is not known"],
	[
		"a message thread",
		'{"thread":{"type":"continue","previous_message_id":"msg_1"},"messages":[]}',
		"the provider holds its messages (message thread)",
	],
])("a body with %s is not understood", (_, text, reason) => {
	expect(() => projectBody(smallProjector(BUDGET), Buffer.from(text))).toThrow(reason);
});
