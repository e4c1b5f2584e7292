import { expect, test } from "vitest";
import { type Policy, paper as published } from "#core/planning";
import { createManagedSession, defaultToolTable } from "#pi";
import { alignRequest } from "../metrics/alignment.ts";
import { checkNeeds, countGrounding } from "../metrics/grounding.ts";
import { findNeeds } from "../metrics/needs.ts";
import { findOldTexts } from "../metrics/old-texts.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { squash } from "../metrics/text-search.ts";
import { enginePolicy } from "../policies/engine.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import { readPassages } from "../recording/passages.ts";
import { openRecording } from "../recording/recording.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { countQuarters } from "../test-support/messages.ts";
import { type ReplaySettings, replaySession } from "./replay.ts";

const rounds = 40;
const recording = openRecording(writeLongSession(rounds), countQuarters);
const fixed = { system: 50, tools: 30 };

const [none, paper, cwl] = parsePolicies("none,paper,cwl");
if (!none || !paper || !cwl) throw new Error("no such policies");
const overhead = fixed.system + fixed.tools;
const budget = 4_000;

function settings(contender: ReplayPolicy): ReplaySettings {
	return { contender, budget, fixed, now: () => 0 };
}

test("request n is made of everything before the n-th recorded reply", () => {
	const { messages } = recording.session;
	const replies = messages.flatMap((message, i) => (message.role === "assistant" ? [i] : []));
	const requests = [...replaySession(recording, settings(none))];
	expect(requests.map(({ index }) => index)).toEqual([...replies.keys()]);
	requests.forEach(({ history, messages: sent }, i) => {
		expect(history).toEqual(messages.slice(0, replies[i]));
		expect(sent).toEqual(history);
	});
});

test("paper keeps the budget that none outgrows", () => {
	const peak = (contender: ReplayPolicy) => {
		const measure = createPrefixMeter(recording.sizes);
		const sizes = [...replaySession(recording, settings(contender))].map(
			({ messages }) => measure(messages).tokens,
		);
		return overhead + Math.max(...sizes);
	};
	expect(peak(none)).toBeGreaterThan(8_000);
	expect(peak(paper)).toBeLessThanOrEqual(4_000);
});

test("what is measured on the messages is what the ledger says", () => {
	const measure = createPrefixMeter(recording.sizes);
	const session = createManagedSession(countQuarters, defaultToolTable);
	for (const { history, messages } of replaySession(recording, settings(paper))) {
		const manual = { policy: published, budget, fixed, keepsLoopThinking: true };
		const { tokens } = session.request(history, manual);
		expect(overhead + measure(messages).tokens).toBe(tokens);
	}
});

test("grounding of edits is what a search of the sent messages finds", () => {
	const needs = findNeeds(recording, 0);
	let [found, needed] = [0, 0];
	for (const { index, history, messages, turn } of replaySession(recording, settings(cwl))) {
		const own = needs.get(index) ?? [];
		const { edit, self } = countGrounding(
			checkNeeds(own, history, alignRequest(history, messages), undefined),
		);
		needed += edit.needed + self.needed;
		found += edit.kept + self.kept;
		const sent = messages.flatMap((message, i) => readPassages(message, i)).map(({ text }) => squash(text));
		const old = turn.reply.content.flatMap((block) =>
			block.type === "toolCall" ? findOldTexts(block.arguments) : [],
		);
		const present = old.map(squash).filter((text) => sent.some((passage) => passage.includes(text)));
		expect(edit.kept + self.kept).toBe(present.length);
	}
	expect(needed).toBe(rounds);
	expect(found).toBeLessThan(needed);
	expect(found).toBeGreaterThan(0);
});

test("planning is timed by the clock that is given", () => {
	let ms = 0;
	const slow: Policy = {
		name: "slow",
		plan() {
			ms += 7;
			return undefined;
		},
	};
	const requests = [
		...replaySession(recording, { ...settings(enginePolicy("slow", () => slow)), now: () => ms }),
	];
	expect(new Set(requests.map(({ planMs }) => planMs))).toEqual(new Set([7]));
});
