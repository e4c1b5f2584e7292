/** A session as the extension leaves it: its messages with their passes between them, and usage as a provider counts. */
import { changesContext } from "#core/log";
import type { HostMessage } from "#pi/codec";
import { createManagedSession, type OldSession, PASS_ENTRY, policyByName } from "#pi/session";
import { priceLists } from "../metrics/prices.ts";
import { countQuarters } from "./messages.ts";

/** Settings of a report of such a session, kept below 4k tokens. */
export const reportSettings = {
	budget: 4_000,
	isAuto: false,
	lowWater: "balanced" as const,
	policy: "cwl",
	count: countQuarters,
	pricesOf: () => priceLists.anthropic,
	branch: "the branch of the last entry",
	unit: "dollars at the prices of a/b",
};

/** Tokens that the provider counts in addition to the messages. */
const OVERHEAD = 80;

/** Drive the messages through the default policy. Half of what a request without a pass sends comes from the cache. */
export function manageSession(
	messages: readonly HostMessage[],
	budget: number,
	count = countQuarters,
): OldSession {
	const session = createManagedSession(count);
	const fixed = { system: OVERHEAD, tools: 0 };
	const branch: OldSession["branch"][number][] = [];
	const written: HostMessage[] = [];
	for (const message of messages) {
		let kept = message;
		if (message.role === "assistant") {
			const settings = { policy: policyByName("cwl"), budget, fixed };
			const { pass, tokens } = session.request(written, settings);
			const isPass = pass !== undefined && changesContext(pass);
			if (isPass) branch.push({ type: "custom", customType: PASS_ENTRY, data: pass });
			const cacheRead = isPass ? 0 : Math.floor(tokens / 2);
			kept = { ...message, usage: { ...message.usage, input: tokens - cacheRead, cacheRead, output: 10 } };
		}
		written.push(kept);
		branch.push({ type: "message", ...{ message: kept } });
	}
	const entries = branch.map((entry, index) => ({ ...entry, id: String(index) }));
	return { id: "a-session", cwd: "/home/ann/work", branch: entries, messages: written };
}
