/**
 * Finds what later recorded steps needed from earlier ones. A need is a text that a reply writes and that it can only
 * have from an earlier output: the old text of an edit, the name of a file, a rare identifier.
 */
import type { UnknownRecord } from "#basics";
import { distinctFiles, findFileNames, findIdentifiers, findingsIn } from "#core/transcript";
import { argumentText, type HostMessage, stringsOf } from "#pi/codec";
import { isMark } from "../recording/annotation.ts";
import type { Recording, ReplyMessage } from "../recording/recording.ts";
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
	 * `edit`: old text that a tool result shows. `self`: old text that only the agent itself wrote before.
	 * `path`: a file first named by a result or a person. `ident`: a rare identifier first shown by a result.
	 * `conclusion`: a sentence in which the agent stated what it had found or decided, needed by the last request.
	 */
	readonly kind: "edit" | "self" | "path" | "ident" | "conclusion";
	/** True for an edit whose text a result last showed before the last user turn. */
	readonly isCross: boolean;
	/** The name to look for, where a name is enough. */
	readonly name?: string;
	/** The text to look for, where it must be there word for word; in the form that `squash` returns. */
	readonly text?: string;
	/** The passages that show it, oldest first: one of them in the request is enough. */
	readonly sources: readonly Place[];
}

/** Shorter old texts stand in many places by accident; in characters, white space left out. */
const MIN_OLD_TEXT = 12;
/** An identifier that stands in more messages than this is not rare. */
const RARE_MESSAGES = 3;

/** The needs of each request, by its index, from the request `from` on. */
export function findNeeds({ session, turns }: Recording, from: number): ReadonlyMap<number, readonly Need[]> {
	const { messages } = session;
	const asked = turns.slice(from);
	if (asked.length === 0) return new Map();
	const passages = messages.flatMap((message, index) => readPassages(message, index));
	const replies = asked.map(({ reply }) => reply);
	const search = createTextSearch(passages);
	const findFiles = createNameSearch(passages, findFileNames, replies.flatMap(filesNamedBy));
	const findIdents = createNameSearch(passages, findIdentifiers, replies.flatMap(identifiersNamedBy));
	return new Map(
		asked.map(({ position, reply }, offset) => {
			const request = from + offset;
			const lastUserTurn = messages.findLastIndex(({ role }, i) => i < position && role === "user");
			// Text in an episode mark is not a need: without the marks the same work needs the same.
			const needs = [
				...findEditNeeds(reply, (text) => search(text, position), lastUserTurn),
				...findPathNeeds(reply, (name) => findFiles(name, position)),
				...findIdentNeeds(reply, (name) => findIdents(name, position)),
				...(request === turns.length - 1 ? findConclusions(messages.slice(0, position)) : []),
			];
			return [request, needs];
		}),
	);
}

/** The passages before a request that show a text or a name, oldest first. */
type Find = (searched: string) => readonly Passage[];

/** A sentence with one of these words states a conclusion. */
const CONCLUDES =
	/\b(?:because|root cause|turns? out|found|decided|confirmed|(?:problem|issue|cause|bug) (?:is|was))\b/i;
/** In the middle of a turn a conclusion is about something that it names. */
const QUOTED = /["“«][^"”»]+["”»]/;
/** The beginning of a sentence tells it from others, in characters without white space. */
const MAX_CONCLUSION = 60;

/** The conclusions in the agent's texts: no later step repeats them word for word, and each may build on them. */
function findConclusions(history: readonly HostMessage[]): readonly Need[] {
	return history.flatMap((message, place) => {
		if (message.role !== "assistant") return [];
		return message.content.flatMap((content, block) => {
			const sentences = content.type === "text" ? content.text.split(/(?<=[.!?:])\s+|\n+/) : [];
			// An announcement, such as what the agent reads next, is no conclusion.
			const isClosing = message.content.every(({ type }) => type !== "toolCall");
			const isSpecific = (sentence: string) =>
				QUOTED.test(sentence) || findingsIn(sentence, isClosing) !== "";
			const stated = sentences.filter((sentence) => CONCLUDES.test(sentence) && isSpecific(sentence));
			return stated.map((sentence): Need => {
				const text = squash(sentence).slice(0, MAX_CONCLUSION);
				return { kind: "conclusion", isCross: false, text, sources: [{ message: place, block }] };
			});
		});
	});
}

/** The arguments of its calls, marks left out. */
function callsOf({ content }: ReplyMessage): readonly UnknownRecord[] {
	return content.flatMap((block) => (block.type === "toolCall" && !isMark(block) ? [block.arguments] : []));
}

function findEditNeeds(reply: ReplyMessage, find: Find, lastUserTurn: number): readonly Need[] {
	const needs: Need[] = [];
	for (const old of callsOf(reply).flatMap(findOldTexts)) {
		const text = squash(old);
		if (text.length < MIN_OLD_TEXT) continue;
		const sources = find(text);
		const latest = sources.findLast(({ author }) => author === "tool");
		const isCross = latest !== undefined && latest.message < lastUserTurn;
		if (latest) needs.push({ kind: "edit", isCross, text, sources });
		else if (sources.length > 0 && sources.every(({ author }) => author === "agent")) {
			needs.push({ kind: "self", isCross: false, text, sources });
		}
	}
	return needs;
}

function findPathNeeds(reply: ReplyMessage, find: Find): readonly Need[] {
	return [...new Set(filesNamedBy(reply))].flatMap((name): readonly Need[] => {
		const sources = find(name);
		const first = sources[0]?.author;
		return first === "tool" || first === "user" ? [{ kind: "path", isCross: false, name, sources }] : [];
	});
}

function filesNamedBy(reply: ReplyMessage): readonly string[] {
	return callsOf(reply).flatMap((call) => distinctFiles(findFileNames(argumentText(call))));
}

function identifiersNamedBy(reply: ReplyMessage): readonly string[] {
	const said = reply.content.map((block) => (block.type === "text" ? block.text : ""));
	return [...findIdentifiers([...said, ...callsOf(reply).map(argumentText)].join("\n"))];
}

/** Names inside an edit's old text are left out: the edit itself is the need. */
function findIdentNeeds(reply: ReplyMessage, find: Find): readonly Need[] {
	const copied = findIdentifiers(callsOf(reply).flatMap(findOldTexts).join("\n"));
	return identifiersNamedBy(reply).flatMap((name): readonly Need[] => {
		const sources = find(name);
		const messages = new Set(sources.map(({ message }) => message)).size;
		const isOwn = copied.has(name) || sources[0]?.author !== "tool" || messages > RARE_MESSAGES;
		return isOwn ? [] : [{ kind: "ident", isCross: false, name, sources }];
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
