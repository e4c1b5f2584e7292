/**
 * The provider's rule for thinking, transcribed from its documentation and knowing nothing of passes: each block
 * remembers all that was sent in front of it, and the block before it. Later requests may leave blocks out, and must
 * send the others behind the same content and behind the same block, or behind none.
 */
import type { ProjectedPart } from "../projection/projection.ts";
import type { TranscriptMessage } from "../transcript/transcript.ts";

export interface Piece {
	readonly text: string;
	readonly isThinking: boolean;
}

interface Seal {
	readonly prefix: string;
	readonly previous: string | undefined;
}

/** The rule itself, on the pieces of what was sent. A block that no answer brought is refused, unless those are tolerated. */
export function createSealCheck(toleratesUnknown = false) {
	const seals = new Map<string, Seal>();
	return {
		/** Pieces up to and with an answer, whose blocks are sealed here. */
		seal(pieces: readonly Piece[]): void {
			for (const [block, seal] of readSeals(pieces)) if (!seals.has(block)) seals.set(block, seal);
		},
		stale(pieces: readonly Piece[]): readonly string[] {
			return [...readSeals(pieces)].flatMap(([block, { prefix, previous }]) => {
				const seal = seals.get(block);
				if (!seal) return toleratesUnknown ? [] : [block];
				const isValid = seal.prefix === prefix && (previous === undefined || previous === seal.previous);
				return isValid ? [] : [block];
			});
		},
	};
}

/** `messages` are those of the session up to the request; of an answer, up to and with it. */
export function createThinkingCheck() {
	const check = createSealCheck();
	return {
		/** An answer was produced for a request that sent these parts. */
		answer(sent: readonly ProjectedPart[], messages: readonly TranscriptMessage[]) {
			const answer = messages.length - 1;
			check.seal([...piecesOf(sent, messages), ...readMessage(messages[answer], answer)]);
		},
		/** Ids of the blocks of a request that the provider refuses. */
		stale: (sent: readonly ProjectedPart[], messages: readonly TranscriptMessage[]) =>
			check.stale(piecesOf(sent, messages)),
	};
}

function readSeals(pieces: readonly Piece[]): ReadonlyMap<string, Seal> {
	const seals = new Map<string, Seal>();
	let prefix = "";
	let previous: string | undefined;
	for (const { text, isThinking } of pieces) {
		if (isThinking) {
			seals.set(text, { prefix, previous });
			previous = text;
		} else prefix += `${text}\n`;
	}
	return seals;
}

function piecesOf(sent: readonly ProjectedPart[], messages: readonly TranscriptMessage[]): readonly Piece[] {
	return sent.flatMap((part) => {
		switch (part.type) {
			case "marker":
				return [{ text: `line ${part.text}`, isThinking: false }];
			case "cut":
				return [{ text: `cut ${part.message} ${part.release.mark}`, isThinking: false }];
			case "reduced":
				return [{ text: `reduced ${part.message} ${part.form}`, isThinking: false }];
			case "whole":
				return readMessage(messages[part.message], part.message);
			case "part":
				return readMessage(messages[part.message], part.message, part.blocks);
			default:
				return part satisfies never;
		}
	});
}

function readMessage(
	message: TranscriptMessage | undefined,
	index: number,
	blocks: readonly number[] | undefined = undefined,
): readonly Piece[] {
	const items = message?.items.filter((_, block) => !blocks || blocks.includes(block)) ?? [];
	const begin = { text: `message ${index} ${message?.author}`, isThinking: false };
	return [begin, ...items.map(({ id, type }) => ({ text: id, isThinking: type === "reasoning" }))];
}
