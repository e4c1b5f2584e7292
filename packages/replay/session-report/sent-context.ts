/**
 * The messages that each request of a session really sent, also where the host or another agent compacted the session.
 */
import type { Ledger } from "#core/ledger";
import { type CountedAnswer, type HostMessage, type ManagedSession, type OldSession, readHistory } from "#pi";

/** An answer with the size of its request by component. */
export interface SentRequest extends Omit<CountedAnswer, "ledger"> {
	readonly ledger: Ledger;
}

/** The stretch of a session between two compactions. */
export interface Stretch {
	/** The messages of a request at its end: the summary and the kept messages, then everything since. */
	readonly messages: readonly HostMessage[];
	/** Index in `messages` of the first one that came after the compaction. */
	readonly firstNew: number;
	/** Index of that message in the whole session. */
	readonly position: number;
}

/** One stretch more than there were compactions, oldest first. */
export function splitAtCompactions({ messages, compactions = [] }: OldSession): readonly Stretch[] {
	const starts = [undefined, ...compactions];
	return starts.map((compaction, index) => {
		const end = compactions[index]?.position ?? messages.length;
		if (!compaction) return { messages: messages.slice(0, end), firstNew: 0, position: 0 };
		const { position, firstKept, summary } = compaction;
		const timestamp = messages[position]?.timestamp ?? 0;
		const head: HostMessage = { role: "compactionSummary", summary, tokensBefore: 0, timestamp };
		const kept = messages.slice(firstKept, end);
		return { messages: [head, ...kept], firstNew: 1 + position - firstKept, position };
	});
}

/** For each answer the size of its request, with prompt and tools counted as `overhead` tokens. */
export function countSent(
	session: ManagedSession,
	{ branch }: OldSession,
	stretches: readonly Stretch[],
	overhead: number,
): readonly SentRequest[] {
	const fixed = { system: overhead, tools: 0 };
	const sent: SentRequest[] = [];
	for (const { messages, firstNew } of stretches) {
		const isNew = new Set<HostMessage>(messages.slice(firstNew));
		for (const request of session.recount(readHistory(branch, messages), fixed)) {
			if (isNew.has(request.answer)) sent.push({ ...request, ledger: request.ledger() });
		}
	}
	return sent;
}
