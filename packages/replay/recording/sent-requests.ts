/** The requests of a session as they were sent: with the passes of cwl, and with summaries in place of what they replaced. */
import type { CountTokens } from "#basics";
import type { FixedTokens } from "#core/ledger";
import type { Pass } from "#core/log";
import { answerTime, type HostMessage } from "#pi/codec";
import {
	type CountedAnswer,
	createManagedSession,
	type OldSession,
	readHistory,
	readLogEntries,
} from "#pi/session";
import type { RecordedSession } from "../readers/recorded-session.ts";

/** A recorded session in the terms of a live one. Entries of cwl are only in pi's own files. */
export function asOldSession(session: RecordedSession): OldSession {
	const { format, id, name, cwd = "", messages, branch = [], summaries = [], otherCalls = [] } = session;
	const compactions = summaries.map(({ text: summary, position, firstKept }) => {
		return { position, firstKept, summary };
	});
	const entries = format === "pi" ? branch : messages.map((message) => ({ type: "message", message }));
	return { id: id ?? name, cwd, branch: entries, messages, compactions, otherCalls };
}

/** A part of a session between two compactions. */
export type Stretch = ReturnType<typeof splitAtCompactions>[number];

/** The parts of a session between compactions, one more than there were compactions, oldest first. */
export function splitAtCompactions({ messages, compactions = [] }: OldSession) {
	const starts = [undefined, ...compactions];
	return starts.map((compaction, index) => {
		const end = compactions[index]?.position ?? messages.length;
		if (!compaction) return { messages: messages.slice(0, end), firstNew: 0 };
		const { position, firstKept, summary } = compaction;
		const timestamp = messages[position]?.timestamp ?? Infinity;
		const head: HostMessage = { role: "compactionSummary", summary, tokensBefore: 0, timestamp };
		return {
			/** The messages of a request at its end: the summary and the kept messages, then everything since. */
			messages: [head, ...messages.slice(firstKept, end)],
			/** Index in `messages` of the first one that came after the compaction. */
			firstNew: 1 + position - firstKept,
		};
	});
}

const nothingFixed: FixedTokens = { system: 0, tools: 0 };

/** A session whose requests are listed; `scale` puts the passes of its log into the tokens of `count`. */
export interface SentSession {
	readonly old: OldSession;
	readonly count: CountTokens;
	readonly scale?: (pass: Pass) => Pass;
	/** System prompt and tools at first, while cwl is on or off, and the tokens by which they changed at a message; left out otherwise. */
	readonly fixedOf?: (isOn: boolean) => FixedTokens;
	readonly changeOf?: (message: HostMessage) => number;
}

/** The request of each answer, as passes and compactions left it. */
export function* listSent({
	old,
	count,
	scale,
	fixedOf = () => nothingFixed,
	changeOf,
}: SentSession): Generator<CountedAnswer> {
	const session = createManagedSession(count, { outputs: readLogEntries(old.branch).outputs });
	for (const { messages, firstNew } of splitAtCompactions(old)) {
		const isNew = new Set<HostMessage>(messages.slice(firstNew));
		const steps = readHistory(branchUpTo(old, messages), messages).map((step) =>
			step.type === "pass" && scale ? { ...step, pass: scale(step.pass) } : step,
		);
		// What a compaction kept comes with the changes before it in front.
		const newChange = (message: HostMessage) => (isNew.has(message) ? (changeOf?.(message) ?? 0) : 0);
		for (const request of session.recount(steps, fixedOf, newChange)) {
			if (isNew.has(request.answer)) yield request;
		}
	}
}

/** The entries up to the last answer of a stretch: what was decided later was not decided for its requests. */
function branchUpTo({ branch }: OldSession, messages: readonly HostMessage[]): OldSession["branch"] {
	const times = new Set(messages.map(answerTime));
	const last = branch.findLastIndex(({ message }) => {
		const time = answerTime(message);
		return time !== undefined && times.has(time);
	});
	return branch.slice(0, last + 1);
}
