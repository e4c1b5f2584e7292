/**
 * The checkpoint of a session: its goal, what is done, in progress and to do, what was decided, what is open, what must
 * be kept to, and the files that it knows. Composed from the session alone: the same session gives the same checkpoint.
 */
import { type Static, Type } from "typebox";
import type { Graph } from "#core/graph";
import { extract } from "#core/projection";
import type { Manifest } from "../files/manifest.ts";
import type { Goal } from "../prompt/goal.ts";
import type { SessionState } from "../prompt/task-and-constraints.ts";
import { type LineKind, markedLines } from "./marked-lines.ts";

export const CHECKPOINT_VERSION = 1;

/** The newest are kept: of each list, of the finished episodes, and of the files. */
const MAX = { lines: 40, done: 40, artifacts: 200 };
/** In characters. */
const MAX_FINDING = 300;

const Text = Type.String({ maxLength: 4_000 });
const Lines = Type.Array(Text, { maxItems: 100 });
const Kind = Type.Union([Type.Literal("expl"), Type.Literal("act")]);

/** Other keys are refused, so that a typo is not taken for nothing. */
export const CheckpointSchema = Type.Object(
	{
		format: Type.Literal("cwl-checkpoint"),
		version: Type.Literal(CHECKPOINT_VERSION),
		/** The session's id, its folder, and its last message when this was saved. */
		session: Type.String({ minLength: 1 }),
		cwd: Type.String(),
		last: Type.String({ minLength: 1 }),
		savedAt: Type.String(),
		goal: Text,
		current: Type.Object({ task: Text, episodes: Lines }, { additionalProperties: false }),
		done: Type.Array(
			Type.Object({ name: Text, kind: Kind, finding: Text }, { additionalProperties: false }),
			{ maxItems: 100 },
		),
		/** Finished episodes before those. */
		doneBefore: Type.Integer({ minimum: 0 }),
		todo: Lines,
		decisions: Lines,
		openIssues: Lines,
		constraints: Type.Object({ user: Lines, noted: Lines }, { additionalProperties: false }),
		/** By file: its size and hash when the session last saw it, or `gone`. */
		artifacts: Type.Record(Type.String(), Type.String({ pattern: "^(gone|\\d+:[0-9a-f]*)$" })),
	},
	{ additionalProperties: false },
);
export type Checkpoint = Static<typeof CheckpointSchema>;

export interface CheckpointSources {
	readonly session: string;
	readonly cwd: string;
	/** Id of the last message of the branch. */
	readonly last: string;
	/** ISO 8601. */
	readonly savedAt: string;
	readonly graph: Pick<Graph, "episodes">;
	readonly goal: Goal | undefined;
	readonly state: SessionState;
	readonly manifest: Manifest;
}

export function composeCheckpoint(sources: CheckpointSources): Checkpoint {
	const { session, cwd, last, savedAt, graph, goal, state, manifest } = sources;
	const lines = graph.episodes.flatMap(({ description = "" }) => markedLines(description));
	const declared = graph.episodes.filter(({ origin }) => origin === "declared");
	const open = declared.filter(({ state }) => state === "open");
	// Only an expl ends with a description.
	const done = declared
		.filter(({ state }) => state === "closed")
		.map(({ name, description }) => ({
			...{ name, kind: description === undefined ? ("act" as const) : ("expl" as const) },
			finding: extract(description ?? "", MAX_FINDING),
		}));
	return {
		...{ format: "cwl-checkpoint", version: CHECKPOINT_VERSION, session, cwd, last, savedAt },
		goal: goal && !goal.isDone ? goal.text : "",
		current: { task: state.task, episodes: open.map(({ name }) => name) },
		done: done.slice(-MAX.done),
		doneBefore: Math.max(0, done.length - MAX.done),
		todo: collect(lines, "todo"),
		decisions: collect(lines, "decision"),
		openIssues: collect(lines, "open"),
		constraints: { user: [...state.constraints], noted: [...state.notedConstraints] },
		artifacts: Object.fromEntries([...manifest].slice(-MAX.artifacts)),
	};
}

type Marked = ReturnType<typeof markedLines>;

/** Each line once, the newest last; a later `Done:` with the same words takes a line back. */
function collect(lines: Marked, wanted: LineKind): string[] {
	const texts = new Map<string, string>();
	for (const { kind, text } of lines) {
		const key = text.toLowerCase().replace(/[.!\s]+$/, "");
		if (kind === "done" && wanted !== "decision") texts.delete(key);
		if (kind !== wanted) continue;
		texts.delete(key);
		texts.set(key, text.slice(0, 2_000));
	}
	return [...texts.values()].slice(-MAX.lines);
}

/**
 * The words by which a fresh session starts, without what it has otherwise: goal, task and constraints are told with the
 * goal, finished episodes by their lines. "" if nothing is left to say.
 */
export function startText({ current, todo, decisions, openIssues }: Checkpoint): string {
	return [
		section("In progress when it ended, so not finished", current.episodes),
		section("To do, not begun", todo),
		section("Decided", decisions),
		section("Open issues", openIssues),
	]
		.filter((part) => part !== "")
		.join("\n");
}

function section(head: string, lines: readonly string[]): string {
	if (lines.length === 0) return "";
	return [`${head}:`, ...lines.map((line) => `- ${line.replace(/\s+/g, " ")}`)].join("\n");
}

type Entry = { readonly type: string; readonly id?: unknown };

/** Ids of the messages of a branch, oldest first. */
export function messageIds(branch: readonly Entry[]): readonly string[] {
	return branch.flatMap(({ type, id }) => (type === "message" && typeof id === "string" ? [id] : []));
}

/** Id of the last message of a branch, undefined before the first. */
export function lastMessageOf(branch: readonly Entry[]): string | undefined {
	return messageIds(branch).at(-1);
}
