import { quote, unquote } from "../transcript/quote.ts";

/**
 * The one line that a policy leaves in place of a whole tool output. Policies write this type and readers of a request read
 * it, so that each new kind is known to both.
 */
export type Placeholder =
	| { readonly type: "omitted" }
	/** `lines` is the length of the output, `callId` what a recall asks for. */
	| { readonly type: "faded"; readonly lines: number; readonly callId: string };

const OMITTED = "[output omitted]";
const FADED = /^\[output of (\d+) lines? left out; recall (".*")\]$/;

/** The line as a request shows it. */
export function placeholderText(placeholder: Placeholder): string {
	if (placeholder.type === "omitted") return OMITTED;
	const { lines, callId } = placeholder;
	return `[output of ${lines} ${lines === 1 ? "line" : "lines"} left out; recall ${quote(callId)}]`;
}

/** The lines of evicted episodes, which may stand behind the placeholder in the same result. */
const MARKER = /^\[(?:act|expl|\d+ episodes)\b/;

/** The inverse of `placeholderText`; undefined for a text that has content. */
export function readPlaceholder(text: string): Placeholder | undefined {
	const [line = "", ...rest] = text.split("\n");
	if (!rest.every((marker) => MARKER.test(marker))) return undefined;
	if (line === OMITTED) return { type: "omitted" };
	const [, lines, quoted] = FADED.exec(line) ?? [];
	return quoted === undefined ? undefined : { type: "faded", lines: Number(lines), callId: unquote(quoted) };
}
