/** The checkpoint as files next to the session: JSON that is read back, and Markdown for people. */
import { Check, Errors } from "typebox/value";
import { isRecord } from "#core";
import { quoteStart, visibleText } from "#core/projection";
import { CwlError, messageOf } from "../errors.ts";
import { readTextFile, replaceTextFile } from "../files/text-file.ts";
import { CHECKPOINT_VERSION, type Checkpoint, CheckpointSchema } from "./checkpoint.ts";

export interface CheckpointPaths {
	readonly json: string;
	readonly markdown: string;
}

/** Next to the session file, so that no repository sees them. */
export function checkpointPaths(sessionFile: string): CheckpointPaths {
	const base = `${sessionFile.replace(/\.jsonl$/, "")}.checkpoint`;
	return { json: `${base}.json`, markdown: `${base}.md` };
}

/** The session that a checkpoint is loaded for. */
export interface Expected {
	readonly session: string;
	readonly cwd: string;
	/** Ids of the messages of the branch, oldest first. */
	readonly messages: readonly string[];
}

export type Loaded =
	| { readonly type: "loaded"; readonly checkpoint: Checkpoint }
	/** There is no file. */
	| { readonly type: "none" }
	/** The reason, with file, key, value and remedy. */
	| { readonly type: "refused"; readonly reason: string };

/** Loads the checkpoint of a session. Never throws: what cannot be used is refused with a reason. */
export async function loadCheckpoint(path: string, expected: Expected): Promise<Loaded> {
	try {
		const text = readTextFile(path);
		return text === undefined ? { type: "none" } : judgeCheckpoint(path, text, expected);
	} catch (error) {
		return { type: "refused", reason: `${path} cannot be read (${messageOf(error)}): mend or remove it.` };
	}
}

/** Judges the text of a checkpoint file. */
export function judgeCheckpoint(path: string, text: string, expected: Expected): Loaded {
	const refuse = (found: string, remedy: string): Loaded => ({
		type: "refused",
		reason: `${path}: ${found}; ${remedy}.`,
	});
	const anew = "remove the file, or save it anew with /cwl checkpoint";
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch (error) {
		return refuse(`not valid JSON (${visibleText(messageOf(error))})`, `mend it, or ${anew}`);
	}
	if (!isRecord(data) || data.format !== "cwl-checkpoint") {
		const found = isRecord(data) ? data.format : data;
		return refuse(
			`format is ${show(found)}, not "cwl-checkpoint"`,
			"it is another program's file: move it away",
		);
	}
	if (typeof data.version === "number" && data.version > CHECKPOINT_VERSION) {
		return refuse(
			`version is ${data.version}, and this cwl reads up to ${CHECKPOINT_VERSION}`,
			"a newer cwl wrote it: update cwl",
		);
	}
	if (!Check(CheckpointSchema, data)) return refuse(describeFault(data), `mend it, or ${anew}`);
	if (data.session !== expected.session) {
		return refuse(
			`session is ${show(data.session)}, not ${show(expected.session)}`,
			`it belongs elsewhere: ${anew}`,
		);
	}
	if (data.cwd !== expected.cwd) {
		return refuse(
			`cwd is ${show(data.cwd)}, not ${show(expected.cwd)}`,
			`it belongs to another folder: ${anew}`,
		);
	}
	const at = expected.messages.indexOf(data.last);
	if (at < 0) return refuse(`last is ${show(data.last)}, which is not on this branch of the session`, anew);
	const since = expected.messages.length - 1 - at;
	if (since > 0) return refuse(`stale: the session has ${since} messages after ${show(data.last)}`, anew);
	return { type: "loaded", checkpoint: data };
}

/** Key, value and what is allowed, of the first fault. */
function describeFault(data: unknown): string {
	const [fault] = Errors(CheckpointSchema, data);
	if (!fault) return "it is damaged";
	const keys = fault.instancePath
		.split("/")
		.slice(1)
		.map((key) => key.replace(/~1/g, "/").replace(/~0/g, "~"));
	let value = data;
	for (const key of keys) {
		value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
	}
	const place = keys.length > 0 ? `${quoteStart(keys.join("."), 80)} is ${show(value)}` : "the file";
	const isUnknown = fault.schemaPath.endsWith("/additionalProperties");
	return `${place}: it ${isUnknown ? "is no key of a checkpoint" : withArticle(visibleText(fault.message))}`;
}

/** The schema library says "must be array". */
function withArticle(message: string): string {
	return message
		.replace(/^must be (?=[aeiou]\w+$)/, "must be an ")
		.replace(/^must be (?=\w+$)/, "must be a ");
}

function show(value: unknown): string {
	if (typeof value === "string") return quoteStart(value, 80);
	return quoteStart(JSON.stringify(value) ?? "missing", 80).slice(1, -1);
}

/**
 * Writes both files, each in one step.
 * @throws CwlError `bad-checkpoint` when one cannot be written
 */
export async function saveCheckpoint(paths: CheckpointPaths, checkpoint: Checkpoint): Promise<void> {
	const texts = [
		[paths.json, `${JSON.stringify(checkpoint, undefined, 2)}\n`],
		[paths.markdown, formatCheckpoint(checkpoint)],
	] as const;
	for (const [path, text] of texts) {
		try {
			await replaceTextFile(path, text);
		} catch (error) {
			throw new CwlError("bad-checkpoint", `${path} cannot be written (${messageOf(error)}).`);
		}
	}
}

/** The checkpoint as Markdown; nobody reads it back. */
export function formatCheckpoint(checkpoint: Checkpoint): string {
	const { session, savedAt, goal, current, done, doneBefore, todo, decisions, openIssues } = checkpoint;
	const { constraints, artifacts } = checkpoint;
	const earlier = doneBefore > 0 ? [`- ${doneBefore} earlier episodes`] : [];
	const finished = done.map(
		({ name, kind, finding }) => `- ${kind} ${name}${finding === "" ? "" : `: ${finding}`}`,
	);
	const sections: readonly (readonly [string, readonly string[]])[] = [
		["Goal", goal === "" ? [] : [goal]],
		["Done", [...earlier, ...finished]],
		["In progress", bullets([...(current.task === "" ? [] : [current.task]), ...current.episodes])],
		["To do", bullets(todo)],
		["Decisions", bullets(decisions)],
		["Open issues", bullets(openIssues)],
		[
			"Constraints",
			bullets([...constraints.user, ...constraints.noted.map((line) => `${line} (noted by the agent)`)]),
		],
		["Files", Object.entries(artifacts).map(([file, state]) => `- ${file} ${state}`)],
	];
	const parts = sections.flatMap(([head, lines]) =>
		lines.length > 0 ? [`## ${head}\n\n${lines.join("\n")}`] : [],
	);
	const title = `# Checkpoint\n\nSession ${session}, ${savedAt}. Edit the JSON file next to this one; this page is written anew.`;
	return `${visibleText([title, ...parts].join("\n\n"))}\n`;
}

function bullets(lines: readonly string[]): readonly string[] {
	return lines.map((line) => `- ${line}`);
}
