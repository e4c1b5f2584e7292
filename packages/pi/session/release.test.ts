import fc from "fast-check";
import { expect, test } from "vitest";
import { cwl } from "#core/policies";
import type { HostMessage } from "../codec/host-message.ts";
import { loadTokenCounter } from "../codec/tokens.ts";
import * as say from "../test-support/host-messages.ts";
import { recallSession, walkPages } from "../test-support/recalls.ts";
import { createManagedSession, type ManagedSession } from "./managed-session.ts";
import { planRelease } from "./release.ts";

const { bash, calls, custom, image, reply, result, says, user, words } = say;

const count = await loadTokenCounter();

const settings = { policy: cwl, budget: 1_000_000, fixed: { system: 0, tools: 0 } };
const pasted = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at} of a log`).join("\n");

/** A session whose person said these things one after the other, and the answers. */
function sessionOf(...said: readonly HostMessage[]): HostMessage[] {
	return said.flatMap((message, at) => [{ ...message, timestamp: 10 * at }, reply("so", 10 * at + 1)]);
}

/** The messages sent before and after the user releases everything that can be released. */
function release(messages: HostMessage[], session: ManagedSession = createManagedSession(count)) {
	const before = session.request(messages, settings);
	const pass = planRelease(messages, session.planInput(messages, settings), count);
	if (pass) session.append(pass);
	return { pass, before, after: session.request(messages, settings), session };
}

const latest = [user("and now"), user("go on")];

test("a long old message keeps its beginning and end, and says how to have the rest back", () => {
	const text = pasted(1_000);
	const { pass, before, after } = release(sessionOf(user(text), ...latest));
	const [cut] = after.messages;
	if (cut?.role !== "user" || typeof cut.content !== "string") throw new Error("a user message is sent");
	const [head = "", tail = ""] = cut.content.split(
		/\n\[[\d.]+k tokens left out on request; recall "user-0"\]\n/,
	);
	expect(text.startsWith(head) && head.endsWith("of a log\n")).toBe(true);
	expect(text.endsWith(tail) && tail.startsWith("line ")).toBe(true);
	expect(head.length + tail.length).toBeLessThan(2_000);
	expect(after.messages.slice(1)).toEqual(before.messages.slice(1));
	expect(pass?.strips).toEqual([]);
});

test("recall gives the whole message back, and not while nothing of it is cut", () => {
	const text = pasted(1_000);
	const messages = sessionOf(user(text), ...latest);
	const { session } = release(messages);
	expect(walkPages(recallSession(session, messages), "user-0", count).texts).toEqual([text]);
	session.restore([]);
	expect(walkPages(recallSession(session, messages), "user-0", count).texts).toEqual([]);
});

test("the ledger counts what is sent, to the token", () => {
	const messages = sessionOf(user(pasted(1_000)), user([words(pasted(900)), image]), ...latest);
	const { pass, before, after } = release(messages);
	const sent = createManagedSession(count).request(after.messages, settings);
	expect(after.tokens).toBe(sent.tokens);
	expect(pass).toMatchObject({ before: before.tokens, after: after.tokens });
	expect(pass?.releases).toHaveLength(2);
});

test("shell output and prompts of extensions are a person's too; images stay", () => {
	const block = user([words("see"), image, words(pasted(900))]);
	const messages = sessionOf(bash("cat log", pasted(900)), custom("skill", pasted(900)), block, ...latest);
	const { pass, after } = release(messages);
	expect(pass?.releases).toHaveLength(3);
	const third = after.messages[4];
	if (third?.role !== "user" || typeof third.content === "string")
		throw new Error("blocks are sent as blocks");
	expect(third.content.slice(0, 2)).toEqual([words("see"), image]);
});

test("what a person wrote last, short messages and what others wrote are left alone", () => {
	const long = pasted(1_000);
	expect(release(sessionOf(user(long), user("so"))).pass).toBeUndefined();
	expect(release(sessionOf(user("short"), ...latest)).pass).toBeUndefined();
	const work = [reply([calls("c1"), says(long)], 5), result("c1", long, 6), custom("cwl.git", long, 7)];
	const [first = user("x"), ...rest] = sessionOf(user("short"), ...latest);
	expect(release([first, ...work, ...rest]).pass).toBeUndefined();
});

test("what was released once is not offered again, and stays cut after a resume", () => {
	const messages = sessionOf(user(pasted(1_000)), ...latest);
	const { session, after } = release(messages);
	expect(planRelease(messages, session.planInput(messages, settings), count)).toBeUndefined();
	const resumed = createManagedSession(count);
	resumed.restore(JSON.parse(JSON.stringify(session.state().log)));
	expect(resumed.request(messages, settings)).toMatchObject({
		messages: after.messages,
		tokens: after.tokens,
	});
});

test("no text is cut within a character, whatever it is made of, and every cut makes it smaller", () => {
	const text = fc.string({ unit: "binary", minLength: 2_500, maxLength: 4_000, size: "max" });
	fc.assert(
		fc.property(text, (long) => {
			const { pass, before, after } = release(sessionOf(user(long), ...latest));
			const [cut] = after.messages;
			if (!pass || cut?.role !== "user" || typeof cut.content !== "string") return;
			expect(cut.content).not.toMatch(/\p{Surrogate}/u);
			expect(after.tokens).toBeLessThan(before.tokens);
		}),
		{ numRuns: 30 },
	);
});
