/**
 * Fidelity without a judge, as two figures: of the key facts in evicted outputs that the model used, which share is still in
 * the request, and which share is in an episode that the request names, so that the model can recall it.
 */
import { DELIMITER } from "#core/annotation";
import type { View } from "#core/log";
import { formsOf, sentBy } from "#core/projection";
import { createRecallIndex, type RecallPart } from "#core/recall";
import { distinctFiles, findFileNames, findIdentifiers } from "#core/transcript";

import { contentOf, type Source } from "../codec/item-content.ts";

/** Facts are counted once for the session, however often they stand in it. */
export type Fidelity = Readonly<ReturnType<typeof compareFacts>>;

/** The unit is characters; the rest of a long error says where, not what. */
const MAX_ERROR_LENGTH = 120;

/** The key facts of a text: files, identifiers, numbers of three digits and more, lines that tell of an error. */
export function findFacts(text: string): ReadonlySet<string> {
	const numbers = [...text.matchAll(/(?<![\w.])\d{3,15}(?:\.\d{1,9})?(?![\w.])/g)].map(([number]) => number);
	const errors = text.split("\n").filter((line) => /\b(?:error|exception|failed|fatal|panic)\b/i.test(line));
	return new Set([
		...distinctFiles(findFileNames(text)),
		...findIdentifiers(text),
		...numbers,
		...errors.map((line) => line.trim().slice(0, MAX_ERROR_LENGTH)),
	]);
}

/**
 * Compares what was evicted with what is visible. A fact is named where any of the texts that hold it is.
 * @param evicted texts, and whether the request still names the places that they came from
 * @param used the texts that the model wrote; a fact in none of them does not count
 */
export function compareFacts(
	evicted: readonly { readonly text: string; readonly isNamed: boolean }[],
	visible: readonly string[],
	used: readonly string[],
) {
	const factsIn = (texts: readonly string[]) => new Set(texts.flatMap((text) => [...findFacts(text)]));
	const seen = factsIn(visible);
	const counted = factsIn(used);
	const isNamed = new Map<string, boolean>();
	for (const each of evicted) {
		for (const fact of findFacts(each.text)) {
			if (counted.has(fact)) isNamed.set(fact, each.isNamed || (isNamed.get(fact) ?? false));
		}
	}
	const gone = [...isNamed].filter(([fact]) => !seen.has(fact));
	return {
		/** Paths, identifiers, numbers and error texts of evicted outputs that the model wrote itself too, in words or calls. */
		facts: isNamed.size,
		/** The facts that are still in the request, in the line of an evicted episode or in content that was not evicted. */
		visible: isNamed.size - gone.length,
		/** The other facts in an episode whose name the request prints, so that a recall by name brings them back. */
		named: gone.filter(([, isKnown]) => isKnown).length,
	};
}

/** The fidelity of what a session would send now. Reads every text of it once. */
export function measureFidelity(source: Source, view: View): Fidelity {
	const { graph } = source;
	const isSent = sentBy(graph, view);
	const ageOf = formsOf(graph, view);
	// A reduced output may have lost any of its facts.
	const isVisible = ({ items }: RecallPart) =>
		items.every((item) => isSent(item) && ageOf(item) === undefined);
	const parts = createRecallIndex(graph).parts.map((part) => ({ part, ...readPart(source, part) }));
	const visible = [
		...[...view.indexLines, ...view.episodes.values()].map(({ marker }) => marker?.text ?? ""),
		...parts.flatMap(({ part, said, shown }) => (isVisible(part) ? [said, shown] : [])),
	];
	const sent = visible.join("\n");
	const isPrinted = new Map<string, boolean>();
	const evicted = parts.flatMap(({ part, shown }) => {
		if (isVisible(part)) return [];
		const name = part.episode?.name;
		const isNamed = name !== undefined && (isPrinted.get(name) ?? printsName(sent, name));
		if (name !== undefined) isPrinted.set(name, isNamed);
		return { text: shown, isNamed };
	});
	const used = parts.flatMap(({ said, isModels }) => (isModels ? [said] : []));
	return compareFacts(evicted, visible, used);
}

/** Returns true if the text holds the name as a word of its own: "unmarked-12" does not print "unmarked-1". */
export function printsName(text: string, name: string): boolean {
	const isWordAt = (at: number) => /[\w-]/.test(text.charAt(at));
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
		if (!(at > 0 && isWordAt(at - 1)) && !isWordAt(at + name.length)) return true;
	}
	return false;
}

/** The words of a part that the model wrote, and the rest of it. */
function readPart(source: Source, part: RecallPart) {
	const { summary, args, texts } = contentOf(source, part);
	const [first] = part.items;
	const { type } = first;
	const isBoundary = type === "call" && first.tool === DELIMITER;
	const join = (all: readonly { readonly text: string }[]) => all.map(({ text }) => text).join("\n");
	const call = `${summary}\n${join(args)}`;
	return type === "text"
		? { said: join(texts), shown: "", isModels: true }
		: { said: call, shown: isBoundary ? "" : join(texts), isModels: type === "call" };
}
