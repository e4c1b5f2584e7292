/** Recalls by the model and by the user; the recalled text must be the original (rule 12). */

import { fadeAges, sentBy } from "#core/projection";
import { createRecallIndex } from "#core/recall";
import type { Item } from "#core/transcript";
import { type HostMessage, RECALL_MESSAGE } from "#pi";
import { originalTexts, recallSession, walkPages } from "../../packages/pi/test-support/recalls.ts";
import { makeAnswer } from "./answers.ts";
import { countCharacters, pickFrom, type World, write } from "./world.ts";

/** Recalls a part that was evicted or shortened, if there is one. Throws if the recalled text differs from the original. */
export function recallSomething(world: World, pick: number, isByModel: boolean) {
	const history = world.file.context();
	if (history.length === 0) return;
	const known = recallSession(world.session, history);
	const { graph, view, shortened } = known.context;
	const isSent = sentBy(graph, view);
	const ageOf = fadeAges(graph, view);
	const isWhole = (item: Item) => isSent(item) && ageOf(item) === undefined && !shortened?.has(item.id);
	const evicted = createRecallIndex(graph).parts.filter(({ items }) => !items.every(isWhole));
	const part = pickFrom(evicted, pick);
	if (!part) return;
	const { texts, answers } = walkPages(known, part.handle, countCharacters);
	expectTexts(texts, history, part.items);
	const [first] = answers;
	if (first) writeAnswer(world, part.handle, first.text, isByModel);
}

function expectTexts(texts: readonly string[], history: readonly HostMessage[], items: readonly Item[]) {
	const wanted = items.flatMap((item) => originalTexts(history, item));
	// A call without a result has no text of its own.
	if (wanted.length === 0) return;
	const found = texts.slice(-wanted.length);
	if (JSON.stringify(found) === JSON.stringify(wanted)) return;
	throw new Error(`rule 12: recall gives back ${JSON.stringify(found)} for ${JSON.stringify(wanted)}`);
}

function writeAnswer(world: World, query: string, text: string, isByModel: boolean) {
	if (!isByModel) {
		write(world, { type: "custom_message", customType: RECALL_MESSAGE, content: text, display: true });
		return;
	}
	const said = [{ type: "call", tool: "recall", args: { query } }] as const;
	const answer = makeAnswer(world.wire, ++world.answers, said, "toolUse", ++world.clock);
	write(world, { type: "message", message: answer });
	for (const block of answer.content) {
		if (block.type !== "toolCall") continue;
		const content = [{ type: "text" as const, text }];
		const of = { toolCallId: block.id, toolName: block.name, isError: false, timestamp: ++world.clock };
		write(world, { type: "message", message: { role: "toolResult", content, ...of } });
	}
}
