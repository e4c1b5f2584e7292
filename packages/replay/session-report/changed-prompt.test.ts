import { expect, test } from "vitest";
import { type HostMessage, isAnswer } from "#pi/codec";
import { type OldSession, PREFIX_ENTRY } from "#pi/session";
import { writeLongSession } from "../test-support/long-session.ts";
import { manageSession, reportSettings as settings } from "../test-support/managed-run.ts";
import { countQuarters } from "../test-support/messages.ts";
import { reportSession } from "./session-report.ts";

test.each([
	["is part of the system prompt from its request on", true],
	["counts in no request of a model that takes it in front", undefined],
])("a change of system prompt and tools inside the conversation %s", (_, takesChanges) => {
	const { messages, branch, ...session } = manageSession(writeLongSession(6).messages, 1e6);
	const said = (text: string) => ({ type: "message", message: { role: "system", content: text } });
	const change = said("You have other tools now. ".repeat(80));
	const tokens = takesChanges ? countQuarters(JSON.stringify(change.message)) : 0;
	const answers = messages.filter(({ role }) => role === "assistant");
	const later = new Set<unknown>(answers.slice(3));
	const grown = (message: HostMessage) => {
		if (!later.has(message) || !isAnswer(message)) return message;
		return { ...message, usage: { ...message.usage, input: message.usage.input + tokens } };
	};
	const at = branch.findIndex(({ message }) => message === answers[3]);
	const fixed = { system: 80, tools: 0 };
	const begun = { version: 1, isOn: true, head: "a", compaction: 0, fixed, takesChanges };
	const grownOf = new Map<unknown, HostMessage>(messages.map((message) => [message, grown(message)]));
	const answered: OldSession["branch"] = branch.map((entry) => ({
		...entry,
		message: grownOf.get(entry.message),
	}));
	const entries = [
		said("You help."),
		{ type: "custom", customType: PREFIX_ENTRY, data: begun },
		...answered.toSpliced(at, 0, change),
	];
	const old = { ...session, branch: entries, messages: [...grownOf.values()] };
	const systems = reportSession(old, settings).requests.map(({ ledger }) => ledger.system);
	for (const [request, system] of systems.entries())
		expect(Math.abs(system - fixed.system - (request < 3 ? 0 : tokens))).toBeLessThan(30);
});
