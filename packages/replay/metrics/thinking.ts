/**
 * Thinking that a model which checks prefixes can still read: each block is bound to all that was sent before it, and to
 * the block before it. A request may leave blocks out at the start or the end of the run, and nowhere else.
 */
import { createHash } from "node:crypto";
import type { CountTokens, HostMessage } from "#pi";

/** Sums over the requests from a policy's first pass or prefix break on; all but the first in tokens. */
export interface ThinkingFigures {
	/** Requests with a block that a checking provider rejects or drops. */
	readonly requestsWithStale: number;
	readonly sent: number;
	/** Sent, and not rejected. */
	readonly readable: number;
	/** Produced before the request, whether it is sent or not. */
	readonly all: number;
}

export const noThinking: ThinkingFigures = { requestsWithStale: 0, sent: 0, readable: 0, all: 0 };

/** The place at which a block was produced. */
interface Seal {
	readonly prefix: string;
	readonly previous: string | undefined;
}

/** After so many messages of a request. */
interface Progress extends Omit<ThinkingFigures, "all"> {
	readonly prefix: string;
	/** The last block that was accepted. */
	readonly previous: string | undefined;
}

const START: Progress = { prefix: "", previous: undefined, requestsWithStale: 0, sent: 0, readable: 0 };

export interface RequestThinking {
	readonly messages: readonly HostMessage[];
	/** Leading messages that the request before it began with too. */
	readonly sharedMessages: number;
	/** The answer to it. */
	readonly reply: HostMessage;
}

/** Measures the requests of a session in order. `isChecked` is false for a model that reads thinking behind any prefix. */
export function createThinkingMeter(
	count: CountTokens,
	isChecked: boolean,
): (request: RequestThinking) => ThinkingFigures {
	/** Recorded answers of one moment can think the same twice. */
	const seals = new Map<string, readonly Seal[]>();
	const digest = createDigest();
	let ends: readonly Progress[] = [START];
	let all = 0;

	function advance(from: Progress, message: HostMessage): Progress {
		if (message.role !== "assistant") return { ...from, prefix: digest(from.prefix, message) };
		let { prefix, previous, requestsWithStale, sent, readable } = from;
		let isRejected = false;
		for (const block of message.content) {
			if (block.type !== "thinking") {
				prefix = digest(prefix, block);
				continue;
			}
			const key = keyOf(message.timestamp, block);
			const tokens = count(block.thinking);
			sent += tokens;
			if (isChecked && (isRejected || !isValid(seals.get(key), prefix, previous))) {
				isRejected = true;
				requestsWithStale = 1;
				continue;
			}
			readable += tokens;
			previous = key;
		}
		return { prefix, previous, requestsWithStale, sent, readable };
	}

	function seal({ prefix: before, previous: last }: Progress, reply: HostMessage) {
		if (reply.role !== "assistant") return;
		let [prefix, previous] = [before, last];
		for (const block of reply.content) {
			if (block.type === "thinking") {
				const key = keyOf(reply.timestamp, block);
				seals.set(key, [...(seals.get(key) ?? []), { prefix, previous }]);
				previous = key;
				all += count(block.thinking);
			} else prefix = digest(prefix, block);
		}
	}

	return ({ messages, sharedMessages, reply }) => {
		const progress = ends.slice(0, sharedMessages + 1);
		for (const message of messages.slice(sharedMessages)) {
			progress.push(advance(progress.at(-1) ?? START, message));
		}
		ends = progress;
		const { requestsWithStale, sent, readable, ...end } = progress.at(-1) ?? START;
		const figures = { requestsWithStale, sent, readable, all };
		seal({ ...figures, ...end }, reply);
		return figures;
	};
}

function isValid(seals: readonly Seal[] = [], prefix: string, previous: string | undefined): boolean {
	return seals.some(
		(seal) => seal.prefix === prefix && (previous === undefined || previous === seal.previous),
	);
}

function keyOf(timestamp: number, block: { readonly thinking: string; readonly thinkingSignature?: string }) {
	return `${timestamp} ${block.thinkingSignature ?? ""} ${block.thinking}`;
}

/** The digest of a prefix and what follows it. Each object is read once. */
function createDigest(): (prefix: string, content: object) => string {
	const known = new WeakMap<object, string>();
	const hash = (text: string) => createHash("sha1").update(text).digest("base64");
	return (prefix, content) => {
		const own = known.get(content) ?? hash(JSON.stringify(content));
		known.set(content, own);
		return hash(prefix + own);
	};
}
