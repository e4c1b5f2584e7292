/** The answered requests of a session's branch: what the provider reported of each, and what was in force when it was sent. */
import { fieldsOf } from "#basics";
import { answerTime, hasFailed } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import type { AnsweredBy } from "../model-prices.ts";
import { emptyLog, readLogEntries } from "../session/log-entries.ts";
import type { Prefix } from "../session/prefix.ts";
import type { NumberedPass } from "../session/read-pass.ts";

export interface BranchRequest {
	/** The time of its answer. */
	readonly time: number;
	readonly by: AnsweredBy;
	/** Tokens of the provider, and the part of them that came from its cache; 0 where it reported nothing. */
	readonly input: number;
	readonly cached: number;
	/** True if its answer did not come whole. */
	readonly isFailed: boolean;
	/** False while CWL was off. */
	readonly isOn: boolean;
	/** How it began; undefined where no entry says it. */
	readonly prefix: Prefix | undefined;
	/** All passes in force. */
	readonly held: readonly NumberedPass[];
	/** Those of them that were made since the last compaction. */
	readonly passes: readonly NumberedPass[];
	/** Those that were made since the request before. */
	readonly made: readonly NumberedPass[];
	/** The summary of a compaction since the request before; "" without one. */
	readonly summary: string;
}

/** Reads a branch from its root, request by request; one that failed before the provider counted it is none. */
export function* readRequests(branch: readonly BranchEntry[]): Generator<BranchRequest> {
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
			time,
			by: { provider: String(provider), model: String(model) },
			input,
			cached,
			isFailed,
			isOn: log.prefix?.isOn ?? log.steering.enabled ?? true,
			prefix: log.prefix,
			held: madeAfter(0),
			passes: madeAfter(compacted),
			made: madeAfter(sent),
			summary,
		};
		sent = log.made;
		summary = "";
	}
}
