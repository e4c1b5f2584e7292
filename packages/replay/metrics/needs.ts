/**
 * Finds what later recorded steps needed from earlier ones. A need is a text that a reply writes and that it can only
 * have from an earlier message: the old text of an edit, or a rare name. What the agent concluded is needed at the end.
 */
import type { UnknownRecord } from "#basics";
import { distinctFiles, findFileNames, findIdentifiers, splitLabelled } from "#core/transcript";
import { type Answer, argumentText, type HostMessage, stringsOf, toolCallsOf } from "#pi/codec";
import { isMark, type Recording } from "../recording/recording.ts";
import {
	createNameSearch,
	createTextSearch,
	type Passage,
	type Place,
	readPassages,
	squash,
} from "./passages.ts";

export interface Need {
	/**
	 * `edit`: old text that a tool result shows. `own`: old text that only the agent itself wrote before. `name`: a rare file
	 * or identifier that a result showed first. `conclusion`: what the agent concluded, needed by the last request.
	 */
	readonly kind: "edit" | "own" | "name" | "conclusion";
	/** The name to look for, where a name is enough. */
	readonly name?: string;
	/** The text to look for, where it must be there word for word; in the form that `squash` returns. */
	readonly text?: string;
	/** The passages that show it, oldest first: one of them in the request is enough. */
	readonly sources: readonly Place[];
}

/** Shorter old texts are in many places by accident; in characters, white space left out. */
const MIN_OLD_TEXT = 12;
/** A name in more messages than this is not rare. */
const RARE_MESSAGES = 3;

/** The needs of each request, by its index, from the request `from` on. */
export function findNeeds({ session, turns }: Recording, from: number): ReadonlyMap<number, readonly Need[]> {
	const { messages } = session;
	const asked = turns.slice(from);
	if (asked.length === 0) return new Map();
	const passages = messages.flatMap((message, index) => readPassages(message, index));
	const search = createTextSearch(passages);
	const asks = asked.flatMap(({ reply }) => namesIn(reply));
	const findName = createNameSearch(passages, findNames, asks);
	return new Map(
		asked.map(({ position, reply }, offset) => {
			const request = from + offset;
			// Text in an episode mark is not a need: without the marks the same work needs the same.
			const needs = [
				...findEditNeeds(reply, (text) => search(text, position)),
				...findNameNeeds(reply, (name) => findName(name, position)),
				...(request === turns.length - 1 ? findConclusions(messages.slice(0, position)) : []),
			];
			return [request, needs];
		}),
	);
}

/** The passages before a request that show a text or a name, oldest first. */
type Find = (searched: string) => readonly Passage[];

/** The beginning tells one conclusion from others, in characters without white space. */
const MAX_CONCLUSION = 60;

/**
 * The conclusions in the agent's messages: labelled lines (`Decided: ...`), the descriptions of finished episodes, and the
 * last answer of each turn. No later step repeats them word for word, and each may build on them.
 */
function findConclusions(history: readonly HostMessage[]): readonly Need[] {
	return history.flatMap((message, place) => {
		if (message.role !== "assistant") return [];
		const isLast = toolCallsOf(message).length === 0;
		return message.content.flatMap((content, block) =>
			conclusionsIn(content, isLast).map((stated): Need => {
				const text = squash(stated).slice(0, MAX_CONCLUSION);
				return { kind: "conclusion", text, sources: [{ message: place, block }] };
			}),
		);
	});
}

/** The conclusions in one block; `isLast` for a message that ends its turn, because it calls no tool. */
function conclusionsIn(block: Answer["content"][number], isLast: boolean): readonly string[] {
	if (block.type === "toolCall") {
		const { description } = block.arguments;
		return isMark(block) && typeof description === "string" && description.trim() !== "" ? [description] : [];
	}
	if (block.type !== "text") return [];
	const { labelled, rest } = splitLabelled(block.text);
	const answer = rest.join("\n").trim();
	return [...labelled.map(({ text }) => text), ...(isLast && answer !== "" ? [answer] : [])];
}

/** The arguments of its calls, marks left out. */
function callsOf({ content }: Answer): readonly UnknownRecord[] {
	return content.flatMap((block) => (block.type === "toolCall" && !isMark(block) ? [block.arguments] : []));
}

function findEditNeeds(reply: Answer, find: Find): readonly Need[] {
	const needs: Need[] = [];
	for (const old of callsOf(reply).flatMap(findOldTexts)) {
		const text = squash(old);
		if (text.length < MIN_OLD_TEXT) continue;
		const sources = find(text);
		if (sources.some(({ author }) => author === "tool")) needs.push({ kind: "edit", text, sources });
		else if (sources.length > 0 && sources.every(({ author }) => author === "agent"))
			needs.push({ kind: "own", text, sources });
	}
	return needs;
}

/** The files and identifiers that a text names. */
export function findNames(text: string): ReadonlySet<string> {
	return new Set([...findFileNames(text), ...findIdentifiers(text)]);
}

/** The names in a reply and its calls. */
function namesIn(reply: Answer): readonly string[] {
	const said = reply.content.map((block) => (block.type === "text" ? block.text : ""));
	const text = [...said, ...callsOf(reply).map(argumentText)].join("\n");
	return [...new Set([...distinctFiles(findFileNames(text)), ...findIdentifiers(text)])];
}

/** Names inside an edit's old text are left out: the edit itself is the need. */
function findNameNeeds(reply: Answer, find: Find): readonly Need[] {
	const copied = findNames(callsOf(reply).flatMap(findOldTexts).join("\n"));
	return namesIn(reply).flatMap((name): readonly Need[] => {
		const sources = find(name);
		const messages = new Set(sources.map(({ message }) => message)).size;
		const isOwn = copied.has(name) || sources[0]?.author !== "tool" || messages > RARE_MESSAGES;
		return isOwn ? [] : [{ kind: "name", name, sources }];
	});
}

/** Under these names the edit tools of pi, Claude Code, Gemini CLI, OpenHands and SWE-agent take the text that they replace. */
const REPLACED = new Set(["oldText", "old_string", "old_str"]);

/** Argument names of a patch for `git apply` or `patch`, in a here-document or on its own. */
const UNIFIED = new Set(["command", "cmd", "script", "input", "code", "patch", "diff"]);

/** The old texts of one call: one for each replacement and for each hunk of a patch, wherever the call carries it. */
export function findOldTexts(args: UnknownRecord): readonly string[] {
	const texts: string[] = [];
	// SWE-agent's edit by search.
	if (typeof args.search === "string" && typeof args.replace === "string") texts.push(args.search);
	for (const { name, text } of stringsOf(args)) {
		if (REPLACED.has(name)) texts.push(text);
		else if (text.includes(BEGIN)) for (const patch of findPatches(text)) texts.push(...readHunks(patch));
		else if (UNIFIED.has(name)) texts.push(...readUnifiedHunks(text));
	}
	return texts;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";

/** Patches in Codex's format, bare, in a here-document, or as a string of a script. */
function* findPatches(text: string): Generator<string> {
	let start = text.indexOf(BEGIN);
	while (start >= 0) {
		const end = text.indexOf(END, start);
		const patch = text.slice(start, end < 0 ? undefined : end);
		yield patch.startsWith(`${BEGIN}\\n`) ? unescapeScript(patch) : patch;
		start = end < 0 ? -1 : text.indexOf(BEGIN, end);
	}
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unescapeScript(text: string): string {
	return text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** Context and removed lines of each hunk of the files that a patch updates. */
function readHunks(patch: string): readonly string[] {
	const hunks: string[][] = [[]];
	for (const line of patch.trimEnd().split("\n")) {
		if (line.startsWith("@@") || line.startsWith("***")) hunks.push([]);
		else if (line === "" || line.startsWith(" ") || line.startsWith("-")) hunks.at(-1)?.push(line.slice(1));
	}
	return joinHunks(hunks);
}

function joinHunks(hunks: readonly (readonly string[])[]): readonly string[] {
	return hunks.filter((hunk) => hunk.length > 0).map((hunk) => hunk.join("\n"));
}

/** Lines of the old file that a hunk covers: one when no number follows the comma. */
const UNIFIED_HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,\d+)? @@/;

/** The same of a unified diff, whose hunks say how long they are. */
function readUnifiedHunks(text: string): readonly string[] {
	const hunks: string[][] = [];
	let left = 0;
	for (const line of text.split("\n")) {
		const header = UNIFIED_HUNK.exec(line);
		if (header) {
			left = Number(header[1] ?? 1);
			hunks.push([]);
		} else if (left > 0 && !line.startsWith("+") && !line.startsWith("\\")) {
			hunks.at(-1)?.push(line.slice(1));
			left -= 1;
		}
	}
	return joinHunks(hunks);
}
