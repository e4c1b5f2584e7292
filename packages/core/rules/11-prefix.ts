import { changesContext } from "../log/pass.ts";
import { project } from "../projection/projection.ts";
import { expectEqual } from "../test-support/expect-equal.ts";
import { rule } from "../test-support/simulation.ts";
import { isBlank, type TranscriptMessage } from "../transcript/transcript.ts";

function mayLeave(message: TranscriptMessage | undefined): boolean {
	if (!message) return false;
	return message.items.length === 0 || message.items.some((item) => item.type === "text" && isBlank(item));
}

/** An answer that failed while it thought. */
function onlyThinks(message: TranscriptMessage | undefined): boolean {
	return message?.items.every(({ type }) => type === "reasoning") === true;
}

export const rule11 = [
	rule(
		"rule 11: between two passes the previous request is a prefix of the next one",
		(request, previous) => {
			if (!previous) return;
			const unchanged = project(request.graph, request.before);
			expectEqual(unchanged.slice(0, previous.parts.length), previous.parts);
			if (!request.pass || !changesContext(request.pass)) expectEqual(request.parts, unchanged);
		},
	),
	rule(
		"rule 11: a pass leaves alone what was sent before the first thing that it took",
		(request, previous) => {
			if (!previous || !request.pass) return;
			const { strips, indexLines = [], reductions = [] } = request.pass;
			const markers = [...strips, ...indexLines].flatMap(({ marker }) => (marker ? [marker.anchor] : []));
			const taken = new Set([
				...strips.flatMap((strip) => strip.items),
				...reductions.map(({ item }) => item),
				...markers,
			]);
			let first = request.messages.findIndex(({ items }) => items.some((item) => taken.has(item.id)));
			// A blank text leaves with what the next answer begins with.
			for (let at = first - 1; mayLeave(request.messages[at]) || onlyThinks(request.messages[at]); at -= 1) {
				if (mayLeave(request.messages[at])) first = at;
			}
			const kept = previous.parts.filter((part) => part.message < first);
			if (first >= 0) expectEqual(request.parts.slice(0, kept.length), kept);
		},
	),
];
