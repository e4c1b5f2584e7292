/** The beginning that a provider still has, against the longest common beginning of the requests as they are sent. */
import { expect, test } from "vitest";
import { totalTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { planEpisode } from "#core/planning";
import { flatPrices } from "../../core/test-support/prices.ts";
import { type Answer, type HostMessage, isAnswer } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { policyByName } from "../session/live-policies.ts";
import { PASS_ENTRY, PREFIX_ENTRY, UNDO_ENTRY } from "../session/log-entries.ts";
import * as say from "../test-support/host-messages.ts";
import { act, fixed, open } from "../test-support/host-runs.ts";
import { createCachedTokens } from "./cached-beginning.ts";

const settings = {
	policy: policyByName("cwl"),
	budget: 1_000_000,
	fixed,
	prices: flatPrices({}),
	head: "prompt",
};

/** The requests begin with it: it is large enough for a cache. */
const OPENING = "go on".repeat(220);

/** Sends a request for each answer of a session; the first episode is evicted before the answer at this index. `cacheWrite` is what the provider bills as written. */
function play(messages: readonly HostMessage[], evictedAt: number, cacheWrite: number) {
	const session = open();
	const branch: BranchEntry[] = [];
	const sent: { readonly answer: Answer; readonly messages: readonly HostMessage[] }[] = [];
	const all = messages.map((message) =>
		isAnswer(message) ? { ...message, usage: { ...message.usage, cacheWrite } } : message,
	);
	const custom = (customType: string, data: unknown) => branch.push({ type: "custom", customType, data });
	const input = (count: number) => session.planInput(all.slice(0, count), settings);
	const evict = (count: number, name = "act 1"): Pass | undefined => {
		const at = input(count);
		const episode = at.graph.episodes.find((each) => each.name === name);
		const pass = episode && planEpisode(at, episode);
		if (pass) session.append(pass);
		return pass;
	};
	for (const [index, message] of all.entries()) {
		if (isAnswer(message)) {
			if (index === evictedAt) custom(PASS_ENTRY, evict(index));
			const { messages, change } = session.request(all.slice(0, index), settings);
			if (change) custom(PREFIX_ENTRY, { version: 1, ...change.prefix, fixed });
			sent.push({ answer: message, messages });
		}
		branch.push({ type: "message", ...{ message } });
	}
	return { session, branch, all, sent, input, evict, custom };
}

/** A session of three acts, whose pass is taken back. */
function playUndone({ opening = OPENING, cacheWrite = 0 } = {}) {
	const acts = [1, 2, 3].flatMap((number) => act(number, 1_000));
	const { custom, input, ...played } = play(
		say.inOrder(say.user(opening), ...acts, say.reply([])),
		11,
		cacheWrite,
	);
	played.session.undo(played.all, settings);
	custom(UNDO_ENTRY, { version: 1 });
	return { ...played, input: input(played.all.length) };
}

const alive = () => true;

test("the longest beginning is that of the request before the pass, which is taken back", () => {
	const { branch, all, sent, input, session } = playUndone();
	const before = sent.findLast(({ answer }) => all.indexOf(answer) < 11);
	const now = session.request(all, settings).messages;
	// All of that request is in this one.
	expect(now.slice(0, before?.messages.length)).toEqual(before?.messages);
	const { graph, view } = session.peek(before?.messages ?? []);
	expect(createCachedTokens(branch, all, alive)(input)).toBe(totalTokens({ graph, view, fixed }));
});

test("once the requests before the pass have expired, it is what the requests with the pass have in common with it", () => {
	const { branch, all, input } = playUndone();
	const isLate = (answer: Answer) => all.indexOf(answer) >= 11;
	const late = createCachedTokens(branch, all, isLate)(input);
	expect(late).toBeGreaterThan(fixed.system + fixed.tools + OPENING.length);
	expect(late).toBeLessThan(OPENING.length + 300);
	expect(createCachedTokens(branch, all, () => false)(input)).toBe(0);
});

test("a beginning that is too small for a cache is none", () => {
	const { branch, all, input } = playUndone({ opening: "go" });
	expect(createCachedTokens(branch, all, alive)(input)).toBeGreaterThan(1_024);
	expect(createCachedTokens(branch, all, (answer) => all.indexOf(answer) >= 11)(input)).toBe(0);
});

test("a provider that bills what it writes keeps whole requests: with other requests before the pass there is nothing but the head", () => {
	const { branch, all, input } = playUndone({ cacheWrite: 100 });
	const isLate = (answer: Answer) => all.indexOf(answer) >= 11;
	expect(createCachedTokens(branch, all, isLate)(input)).toBe(0);
	const { input: same } = playUndone();
	expect(createCachedTokens(branch, all, alive)(input)).toBe(createCachedTokens(branch, all, alive)(same));
	expect(createCachedTokens(branch, all, alive)(input)).toBeGreaterThan(1_024);
});

test("nothing is left after a compaction, and nothing of requests with another prompt", () => {
	const { branch, all, input } = playUndone();
	expect(createCachedTokens([...branch, { type: "compaction", summary: "s" }], all, alive)(input)).toBe(0);
	const other = { version: 1, isOn: true, head: "other", compaction: 0 };
	const last = branch.findLastIndex(({ type }) => type === "message");
	const changed = branch.toSpliced(last, 0, { type: "custom", customType: PREFIX_ENTRY, data: other });
	expect(createCachedTokens(changed, all, alive)(input)).toBeLessThan(OPENING.length + 300);
});

const mark = (id: string, args: Record<string, unknown>) => say.calls(id, "delimiter", args);

/** An act, and after these messages an expl, in which the act is evicted. */
function playWork(between: readonly HostMessage[], api: Answer["api"]) {
	const expl = [
		say.reply(mark("start2", { action: "start", name: "look", type: "expl" })),
		say.result("start2", "ok"),
		say.reply(say.calls("call2", "read", { path: "src/2.ts" })),
		say.result("call2", "x".repeat(1_000)),
		say.reply(mark("end2", { action: "end", description: "seen" })),
		say.result("end2", "ok"),
		say.reply("done"),
	];
	const all = say.inOrder(say.user(OPENING), ...act(1, 1_000), ...between, ...expl);
	const start = 6 + between.length;
	const sent = all.map((message) => (isAnswer(message) ? { ...message, api } : message));
	return { ...play(sent, start + 2, 100), start };
}

test("Anthropic's API keeps the part before the work in progress as well, which a request with less of that work begins with", () => {
	const { branch, all, sent, evict, input, session, start } = playWork(
		[say.reply("done"), say.user("go on")],
		"anthropic-messages",
	);
	const size = totalTokens({ ...session.peek(all.slice(0, start)), fixed });
	const before = session.preview(all.slice(0, start));
	expect(evict(all.length, "look")?.strips).toHaveLength(1);
	expect(session.preview(all).slice(0, before.length)).toEqual(before);
	expect(sent.at(-1)?.messages.slice(0, before.length)).toEqual(before);
	const cached = createCachedTokens(branch, all, alive)(input(all.length));
	expect(cached).toBe(size);
	// Other APIs have no such mark.
	const other = playWork([say.reply("done"), say.user("go on")], "openai-responses");
	other.evict(all.length, "look");
	expect(createCachedTokens(other.branch, other.all, alive)(other.input(all.length))).toBeLessThan(size);
});

test("lines of evicted episodes that follow each other are one text: a line more, and the provider has none of it", () => {
	const { branch, all, evict, input, session } = playWork([], "anthropic-messages");
	const opening = totalTokens({ ...session.peek(all.slice(0, 1)), fixed });
	evict(all.length, "look");
	expect(createCachedTokens(branch, all, alive)(input(all.length))).toBe(opening);
});
