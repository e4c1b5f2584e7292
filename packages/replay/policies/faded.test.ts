import { expect, test } from "vitest";
import type { HostMessage } from "#pi";
import { alignRequest } from "../metrics/alignment.ts";
import { checkNeeds, countGrounding } from "../metrics/grounding.ts";
import type { Need } from "../metrics/needs.ts";
import { squash } from "../metrics/text-search.ts";
import { requestsOf } from "../test-support/kept.ts";
import { calls, inOrder, reply, result, user } from "../test-support/messages.ts";
import { isShortened } from "./shortened-output.ts";

const lines = (name: string) =>
	Array.from({ length: 20 }, (_, i) => `line ${i} of what ${name} shows`).join("\n");

const session = inOrder(
	user("go"),
	...["a", "b", "c", "d", "e", "f", "g", "h", "k", "l"].flatMap((name): readonly HostMessage[] => [
		reply(calls(name, "read")),
		result(name, lines(name)),
	]),
);

const last = requestsOf("faded:summary=20", 1_200, session).find(({ pass }) => pass);
const sent = last?.messages ?? [];

test("the oldest become a summary, what follows is faded, the newest quarter is whole", () => {
	expect(sent.map(({ role }) => role)).toEqual([
		"compactionSummary",
		...Array.from({ length: (sent.length - 1) / 2 }, () => ["assistant", "toolResult"]).flat(),
	]);
	const outputs = sent.filter(({ role }) => role === "toolResult");
	const faded = outputs.filter(isShortened);
	expect(faded.length).toBeGreaterThan(0);
	expect(outputs.slice(0, faded.length)).toEqual(faded);
	expect(faded.length).toBeLessThan(outputs.length);
	expect(last?.pass?.after).toBeLessThanOrEqual(600);
	expect(last?.extraCalls).toHaveLength(1);
});

test("between two passes nothing changes but the tail", () => {
	const more = ["i", "j"].flatMap((name) => [reply(calls(name, "read")), result(name, lines(name))]);
	const requests = requestsOf("faded:summary=20", 1_200, inOrder(...session, ...more));
	const first = requests.findIndex(({ pass }) => pass);
	for (const { pass, messages } of requests.slice(first + 1)) {
		expect(pass).toBeUndefined();
		expect(messages.slice(0, sent.length)).toEqual(sent);
	}
});

test("a faded output meets the needs that its first and last lines meet", () => {
	const history = last?.history ?? [];
	const place = history.findIndex((message, i) => {
		const kept = alignRequest(history, sent).kept[i];
		return message.role === "toolResult" && kept !== undefined && isShortened(kept);
	});
	const faded = history[place];
	if (faded?.role !== "toolResult") throw new Error("nothing is faded");
	const kept = (line: string) => {
		const text = squash(`${line} of what ${faded.toolCallId} shows`);
		const need: Need = {
			kind: "edit",
			isCross: false,
			text,
			sources: [{ message: place, block: 0 }],
			queries: [],
		};
		return countGrounding(checkNeeds([need], history, alignRequest(history, sent), undefined)).edit.kept;
	};
	expect([kept("line 0"), kept("line 10"), kept("line 19")]).toEqual([1, 0, 1]);
});
