/** Prompts as people write them: the request with other text, and sometimes pasted code, around it. */
import { countTokens, type Random } from "#loopback";
import { REMARKS } from "./remarks.ts";

/** In tokens; above it people paste code instead of writing more. */
const PASTED_FROM = 320;
/** The share of a long instruction that is pasted. */
const PASTED_SHARE = 0.55;

/**
 * The request with other text around it, close to a length in tokens. A longer request stays as it is. `excerpt` may
 * be pasted; none of it asks for anything.
 */
export function writePrompt(random: Random, request: string, tokens: number, excerpt: string): string {
	const room = tokens - countTokens(request);
	const pasted = tokens >= PASTED_FROM ? cutLines(excerpt, room * PASTED_SHARE) : "";
	const paste = pasted === "" ? [] : [`I was looking at this when it came up:\n\n\`\`\`\n${pasted}\n\`\`\``];
	const remarks = drawRemarks(random, room - countTokens(paste.join("")));
	const cut = random.between(0, remarks.length);
	const before = remarks.slice(0, cut).join(" ");
	const after = remarks.slice(cut).join(" ");
	return [before, request, after, ...paste].filter((part) => part !== "").join("\n\n");
}

function drawRemarks(random: Random, tokens: number): readonly string[] {
	const drawn: string[] = [];
	let left = tokens;
	for (const remark of random.shuffle(REMARKS)) {
		const size = countTokens(remark) + 1;
		if (size > left) continue;
		drawn.push(remark);
		left -= size;
	}
	return drawn;
}

/** Whole lines from the beginning, up to a number of tokens. */
function cutLines(text: string, tokens: number): string {
	const lines: string[] = [];
	let left = tokens;
	for (const line of text.split("\n")) {
		left -= countTokens(line) + 1;
		if (left < 0) break;
		lines.push(line);
	}
	return lines.join("\n").trim();
}
