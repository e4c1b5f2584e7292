/**
 * Thinking that a model which checks prefixes can still read: each block is bound to all that was sent before it, and to
 * the block before it. A request may leave blocks out at the start or the end of the run, and nowhere else.
 */
import { createHash } from "node:crypto";
import type { HostMessage } from "#pi/codec";
import type { MessageSizes } from "../recording/recording.ts";

/** Sums over requests, in tokens. */
export interface Thinking {
	readonly sent: number;
	/** Sent, and neither rejected nor dropped by the provider. */
	readonly readable: number;
	/** Produced before the request, whether it is sent or not. */
	readonly all: number;
}

export const noThinking: Thinking = { sent: 0, readable: 0, all: 0 };

/** The prefix that a block was produced behind, and the block before it. */
interface Seal {
	readonly prefix: string;
	readonly previous: string | undefined;
}

/** After so many messages of a request; `previous` is the last block that was accepted. */
type Progress = Seal & Omit<Thinking, "all">;

const START: Progress = { prefix: "", previous: undefined, sent: 0, readable: 0 };

/** Measures the requests of a session in order. `isChecked` is false for a model that reads thinking behind any prefix. */
export function createThinkingMeter(sizes: MessageSizes, isChecked: boolean) {
	const seals = new Map<string, readonly Seal[]>();
	const digest = createDigest();
	let ends: readonly Progress[] = [START];
	let all = 0;
	/** `isNew` for the answer of the model, whose blocks are sealed here and always accepted. */
	function advance(from: Progress, message: HostMessage, isNew: boolean): Progress {
		if (message.role !== "assistant") return { ...from, prefix: digest(from.prefix, message) };
		let { prefix, previous, sent, readable } = from;
		let isRejected = false;
		for (const [index, block] of message.content.entries()) {
			if (block.type !== "thinking") {
				prefix = digest(prefix, block);
				continue;
			}
			const key = `${message.timestamp} ${block.thinkingSignature ?? ""} ${block.thinking}`;
			const tokens = sizes(message)[index] ?? 0;
			const known = seals.get(key) ?? [];
			// Recorded answers of one moment can think the same twice.
			if (isNew) seals.set(key, [...known, { prefix, previous }]);
			if (isNew) all += tokens;
			sent += tokens;
			isRejected ||= isChecked && !isNew && !isValid(known, prefix, previous);
			if (isRejected) continue;
			readable += tokens;
			previous = key;
		}
		return { prefix, previous, sent, readable };
	}
	/** The first `sharedMessages` are those of the request before it; `reply` is the answer to it. */
	return (messages: readonly HostMessage[], sharedMessages: number, reply: HostMessage): Thinking => {
		const progress = ends.slice(0, sharedMessages + 1);
		for (const message of messages.slice(sharedMessages)) {
			progress.push(advance(progress.at(-1) ?? START, message, false));
		}
		ends = progress;
		const end = progress.at(-1) ?? START;
		const figures = { sent: end.sent, readable: end.readable, all };
		advance(end, reply, true);
		return figures;
	};
}

function isValid(seals: readonly Seal[], prefix: string, previous: string | undefined): boolean {
	return seals.some(
		(seal) => seal.prefix === prefix && (previous === undefined || previous === seal.previous),
	);
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
