/** Entries of recall pages, made from the parts of a session. */
import { quote, quoteStart } from "#core/projection";
import type { RecallPart } from "#core/recall";
import type { PartContent } from "../codec/part-content.ts";
import { IMAGE_TOKENS } from "../codec/tokens.ts";
import { countOf } from "../screen/count-of.ts";
import type { Entry } from "./paginate.ts";
import type { Shelf } from "./recall-sources.ts";
import type { Range } from "./search.ts";

export interface Stretches {
	readonly name: string;
	readonly text: string;
	readonly ranges: readonly Range[];
}

export function whole({ name, text }: Pick<Stretches, "name" | "text">): Stretches {
	return { name, text, ranges: [{ from: 0, to: text.length }] };
}

/** In characters; image types are short. */
const MAX_TYPE_LENGTH = 40;

/** The line of a call shows its short arguments anyway. */
export const inCallItself = { name: "(in the call itself)", text: "", ranges: [{ from: 0, to: 0 }] };

/** The first entry of a part says what the part is. */
export function entriesOf(
	shelf: Shelf,
	part: RecallPart,
	{ summary }: PartContent,
	texts: readonly Stretches[],
	withPlace: boolean,
): readonly Entry[] {
	const handle = quote(shelf.handleOf(part));
	const [first] = part.items;
	const place = withPlace ? `, ${agoOf(shelf, first.message)},` : "";
	const shown = texts.length > 0 ? texts : [{ name: "no result", text: "", ranges: [{ from: 0, to: 0 }] }];
	return shown
		.flatMap(({ name, text, ranges }) => ranges.map((range) => ({ name, text, ...range })))
		.map(({ name, ...stretch }, i) => {
			const words = i === 0 ? [`${handle}${place}`, summary, name] : [handle, name];
			return { type: "text", label: words.filter(Boolean).join(" "), ...stretch };
		});
}

export function imagesOf(shelf: Shelf, part: RecallPart, { images }: PartContent): readonly Entry[] {
	return images.map((image) => ({
		type: "image",
		label: `${quote(shelf.handleOf(part))} ${quoteStart(image.mimeType, MAX_TYPE_LENGTH)}`,
		image,
		tokens: IMAGE_TOKENS,
	}));
}

/** How long ago a message came, in user turns. */
export function agoOf({ graph }: Shelf, message: number): string {
	const since = graph.messages.slice(message + 1);
	const turns = since.filter(({ author, items }) => author === "user" && items.length > 0).length;
	return turns === 0 ? "in this user turn" : `${countOf(turns, "user turn")} ago`;
}
