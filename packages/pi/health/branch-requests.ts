/** The answered requests of a session's branch: what the provider reported of each, and what was in force when it was sent. */
import { fieldsOf, recordsOf, textOf } from "#basics";
import { answerTime, hasFailed } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { emptyLog, readLogEntries } from "../session/log-entries.ts";

export type BranchRequest = ReturnType<typeof readRequests> extends Iterable<infer Request> ? Request : never;

/** Reads a branch from its root, request by request; one that failed before the provider counted it is none. */
export function* readRequests(branch: readonly BranchEntry[]) {
	const log = emptyLog();
	let sent = 0;
	let compacted = 0;
	let summary = "";
	for (const entry of branch) {
		readLogEntries([entry], log);
		if (entry.type === "compaction") {
			summary = String(entry.summary ?? "");
			compacted = log.made;
		}
		const time = answerTime(entry.message);
		if (time === undefined) continue;
		const { provider, model, ...answer } = fieldsOf(entry.message);
		const usage = fieldsOf(answer.usage);
		const tokensOf = (kind: string) => Number(usage[kind]) || 0;
		const cached = tokensOf("cacheRead");
		const input = tokensOf("input") + cached + tokensOf("cacheWrite");
		const isFailed = hasFailed(answer);
		if (isFailed && input === 0) continue;
		const madeAfter = (number: number) => log.passes.filter((pass) => pass.number > number);
		yield {
			/** The time of its answer. */
			time,
			by: { provider: String(provider), model: String(model) },
			/** Tokens of the provider, and the part of them that came from its cache; 0 where it reported nothing. */
			input,
			cached,
			/** Ids of the calls in its answer. */
			calls: recordsOf(answer.content).map(({ id }) => textOf(id)),
			/** True if its answer did not come whole. */
			isFailed,
			/** False while CWL was off. */
			isOn: log.prefix?.isOn ?? log.steering.enabled ?? true,
			/** How it began; undefined where no entry says it. */
			prefix: log.prefix,
			/** All passes in force. */
			held: madeAfter(0),
			/** Those of them that were made since the last compaction. */
			passes: madeAfter(compacted),
			/** Those that were made since the request before. */
			made: madeAfter(sent),
			/** The summary of a compaction since the request before; "" without one. */
			summary,
		};
		sent = log.made;
		summary = "";
	}
}
