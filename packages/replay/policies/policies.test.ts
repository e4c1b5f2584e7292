import { expect, test } from "vitest";
import type { HostMessage } from "#pi";
import { alignRequest } from "../metrics/alignment.ts";
import { createPrefixMeter } from "../metrics/prefix.ts";
import { createRuleCheck } from "../metrics/rules.ts";
import { openRecording, sum } from "../recording/recording.ts";
import { replaySession } from "../simulation/replay.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { countQuarters } from "../test-support/messages.ts";
import { parsePolicies } from "./registry.ts";
import { isOmitted } from "./shortened-output.ts";

const recording = openRecording(writeLongSession(40), countQuarters);
const fixed = { system: 50, tools: 30 };
const overhead = fixed.system + fixed.tools;
const budget = 4_000;

function requestsUnder(name: string) {
	const [contender] = parsePolicies(name);
	if (!contender) throw new Error(`no policy ${name}`);
	return { contender, requests: [...replaySession(recording, { contender, budget, fixed, now: () => 0 })] };
}

function tokensOf(messages: readonly HostMessage[]): number {
	return overhead + sum(messages.flatMap((message) => recording.sizes(message)));
}

/** The knobs that make a policy do in a small session what it does in a large one. */
const small: Readonly<Record<string, string>> = {
	compaction: "compaction:keep=600:summary=100",
	faded: "faded:summary=100",
};
/** These break their rules only in sessions with marks; their own tests have some. */
const breaksMarkedOnly = ["reference", "context-folding"];

/** Settings of the live policies under which they act at other times, or send something else. */
const settings = [
	...["cwl:zones=pass", "cwl:zones=fade", "cwl:profile=coding", "cwl:profile=review:zones=pass:fading=on"],
	...["cwl:fading=on", "cwl:fading=placeholder", "lru:zones=pass"],
];

test.each([...parsePolicies("all").map(({ name }) => small[name] ?? name), ...settings])(
	"%s breaks no rule that it claims",
	(name) => {
		const { contender, requests } = requestsUnder(name);
		const measure = createPrefixMeter(recording.sizes);
		const check = createRuleCheck();
		const violations = requests.flatMap((request) => {
			const { messages, given: history = request.history } = request;
			const alignment = alignRequest(history, messages);
			const fits = tokensOf(request.history) <= budget;
			return check({ ...request, history, alignment, fits, isExtension: measure(messages).isExtension });
		});
		const exempt = breaksMarkedOnly.includes(name) ? [] : contender.exempt;
		expect(violations.filter(({ rule }) => !exempt.includes(rule))).toEqual([]);
		expect(new Set(violations.map(({ rule }) => rule))).toEqual(new Set(exempt));
	},
);

test("a zone that asks for a pass has one made below the budget", () => {
	const sizes = (name: string) => requestsUnder(name).requests.map(({ messages }) => tokensOf(messages));
	const [usual, zoned] = [sizes("cwl"), sizes("cwl:zones=pass")];
	expect(Math.max(...usual)).toBeGreaterThan(0.9 * budget);
	expect(Math.max(...zoned)).toBeLessThanOrEqual(0.9 * budget);
});

test("recency drops the oldest exchanges and no more than it must", () => {
	const { requests } = requestsUnder("recency");
	for (const { history, messages } of requests) {
		expect(tokensOf(messages)).toBeLessThanOrEqual(budget);
		const { kept } = alignRequest(history, messages);
		const isGone = history.map(({ role }, i) => role !== "user" && kept[i] === undefined);
		const firstKept = history.findIndex(({ role }, i) => role !== "user" && !isGone[i]);
		expect(isGone.lastIndexOf(true)).toBeLessThan(firstKept < 0 ? history.length : firstKept);
	}
});

test("recency-low goes down to its low water and passes far less often", () => {
	const [often, seldom] = [requestsUnder("recency").requests, requestsUnder("recency-low").requests];
	const passes = (requests: typeof often) => requests.filter(({ pass }) => pass);
	for (const { pass } of passes(seldom)) expect(pass?.after).toBeLessThanOrEqual(0.7 * budget);
	expect(passes(seldom).length).toBeLessThan(passes(often).length / 2);
});

test("masking keeps every call and the last ten outputs", () => {
	for (const { history, messages } of requestsUnder("masking").requests) {
		expect(messages.map(({ role }) => role)).toEqual(history.map(({ role }) => role));
		const outputs = messages.filter(({ role }) => role === "toolResult");
		expect(outputs.map(isOmitted)).toEqual(outputs.map((_, i) => i < outputs.length - 10));
	}
});

test("cwl-marks leaves a line where calls left an episode, and cwl nothing", () => {
	const lines = (name: string) =>
		requestsUnder(name).requests.flatMap(({ messages }) => messages.flatMap((message) => markOf(message)));
	expect(lines("cwl")).toEqual([]);
	const marks = lines("cwl-marks");
	expect(marks.length).toBeGreaterThan(0);
	for (const mark of marks) expect(mark).toMatch(/^\[evicted: (ls|read|edit|bash)/);
});

function markOf(message: HostMessage): readonly string[] {
	const isMark = message.role === "custom" && String(message.content).startsWith("[evicted: ");
	return isMark ? [String(message.content)] : [];
}
