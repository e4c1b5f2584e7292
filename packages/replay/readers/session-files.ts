/** Which files a list of paths means, and where the agents on a machine keep their sessions. */
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, extname, join } from "node:path";
import { sum } from "#basics";
import { CwlError } from "#pi";
import { agentDirectory } from "#pi/settings";
import { openDamage } from "./draft.ts";
import { type Fields, fieldsOf, parseFields, textOf } from "./json.ts";
import { fileError, readBytes, readFirstLines, readObjects } from "./lines.ts";
import { EVENT_LISTS } from "./openhands.ts";
import { findItems, listEventFiles } from "./opening.ts";
import type { Damage, Problem, SessionPlace } from "./recorded-session.ts";
import { isRecognized } from "./registry.ts";

/** The sessions that some paths mean, and what cannot be read. */
export interface FoundSessions {
	readonly places: SessionPlace[];
	readonly damage: Damage[];
	readonly problems: Problem[];
}

/**
 * Files stand for themselves, whatever they are called; one of an evaluation, for the sessions in it. A folder stands, in
 * order of name, for every `*.jsonl` and `*.traj` in it and below, the `*.json` that look like a session, and each folder
 * of event files as one. What cannot be read is a problem, and the others are listed.
 */
export async function findSessionFiles(paths: readonly string[]): Promise<FoundSessions> {
	const found: FoundSessions = { places: [], damage: [], problems: [] };
	const size = () => found.places.length + found.damage.length + found.problems.length;
	for (const path of paths) {
		const before = size();
		await addUnder(found, path);
		if (size() > before) continue;
		const message = `${path}: no recorded session in this folder; name a folder of sessions.`;
		found.problems.push({ code: "no-sessions", message });
	}
	return { ...found, places: await linkForks(found.places) };
}

/** The places, each with the file of the session that it was forked from where that is among them. */
async function linkForks(places: readonly SessionPlace[]): Promise<SessionPlace[]> {
	const origins = await Promise.all(places.map(readOrigin));
	const byName = new Map<string, SessionPlace>();
	for (const [index, place] of places.entries()) {
		for (const name of origins[index]?.names ?? []) if (!byName.has(name)) byName.set(name, place);
	}
	return places.map((place, index) => {
		const parent = byName.get(origins[index]?.parent ?? "");
		return parent && parent !== place && !parent.line ? { ...place, forkOf: parent.path } : place;
	});
}

/** The names that a fork may call a session by, and that of the session it was forked from; empty for one that is no fork. */
interface Origin {
	readonly names: readonly string[];
	readonly parent: string;
}

const UNKNOWN_ORIGIN: Origin = { names: [], parent: "" };

/** Codex writes the id of the parent into the first line, pi its path, and Claude Code its id into every line that it copied. */
async function readOrigin({ path, line }: SessionPlace): Promise<Origin> {
	if (extname(path) !== ".jsonl" || line !== undefined) return UNKNOWN_ORIGIN;
	const lines = await readFirstLines(path, RECOGNIZED_BY).catch(() => []);
	const entries = lines.map((text) => parseFields(text) ?? {});
	const { type, payload, parentSession } = fieldsOf(entries[0]);
	if (type === "session") return { names: [basename(path)], parent: basename(textOf(parentSession)) };
	if (type !== "session_meta") return readClaudeOrigin(path, entries);
	const { id, forked_from_id } = fieldsOf(payload);
	return { names: [textOf(id)], parent: textOf(forked_from_id) };
}

/**
 * Versions that do not name the parent copy the first entry with its id all the same: of the files that begin with one
 * entry, the first is taken for the parent of the others.
 */
function readClaudeOrigin(path: string, entries: readonly Fields[]): Origin {
	const first = entries.find(({ uuid, isSidechain }) => typeof uuid === "string" && isSidechain !== true);
	if (!first) return UNKNOWN_ORIGIN;
	const own = [basename(path, ".jsonl"), textOf(first.sessionId)];
	const parent = textOf(fieldsOf(first.forkedFrom).sessionId);
	if (parent !== "") return { names: own, parent };
	const beginning = `begins with ${textOf(first.uuid)}`;
	return { names: [...own, beginning], parent: beginning };
}

async function addUnder(found: FoundSessions, path: string): Promise<void> {
	await orProblem(found, path, async () =>
		(await stat(path)).isDirectory() ? await addFolder(found, path) : await addFile(found, path),
	);
}

async function orProblem({ problems }: FoundSessions, path: string, add: () => Promise<void>) {
	await add().catch((error: unknown) => {
		const { code, message } = fileError(path, error);
		problems.push({ code, message });
	});
}

/** Links to folders are not followed: they can lead back to where they are. */
async function addFolder(found: FoundSessions, folder: string): Promise<void> {
	const [event] = await listEventFiles(folder);
	if (event !== undefined && isTelltale(await readHead(event)))
		return void found.places.push({ path: folder });
	const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
	for (const entry of entries) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) await addUnder(found, path);
		else
			await orProblem(found, path, async () => {
				if (await isSessionFile(path)) await addFile(found, path);
			});
	}
}

/** A session, or the lines of an evaluation, each of which is one. */
async function addFile(found: FoundSessions, path: string): Promise<void> {
	if (await isEvaluation(path)) await addEvaluation(found, path);
	else found.places.push({ path });
}

/** Lines that are looked at: enough to pass damaged ones, and those of tasks that failed before they began. */
const RECOGNIZED_BY = 8;

/**
 * The output of an evaluation with OpenHands holds what became of one task on each line, with the whole session in `history`
 * (`EvalOutput` in evaluation/utils/shared.py of github.com/All-Hands-AI/OpenHands, and in benchmarks/utils/models.py of
 * github.com/OpenHands/benchmarks).
 */
async function isEvaluation(path: string): Promise<boolean> {
	if (!/^\uFEFF?\s*\{[^\n]*"instance_id"\s*:/.test(await readHead(path))) return false;
	const first = (await readFirstLines(path, RECOGNIZED_BY)).map(parseFields);
	return first.some((line) => line && "instance_id" in line && findItems(line, EVENT_LISTS) !== undefined);
}

/**
 * A line of an evaluation may have some MB and the file GB: lines are sessions of their own, each read when its turn comes.
 * Lines without a session are damaged, or of a task that failed before it began.
 */
async function addEvaluation(found: FoundSessions, path: string): Promise<void> {
	const { damage, note } = openDamage(path, ":");
	for await (const [entry, { number, start, bytes }] of readObjects(path, note)) {
		if (!findItems(entry, EVENT_LISTS)?.length) {
			note(number, "no session of events: skipped");
			continue;
		}
		const name = textOf(entry.instance_id) || `line-${number}`;
		found.places.push({ path, line: { number, start, bytes, name } });
	}
	found.damage.push(...damage);
}

/** How the heads of JSON documents in a known format look: only such `*.json` files of a folder are opened. */
const telltales: readonly RegExp[] = [
	/"schema_version"\s*:\s*"ATIF/,
	/"(projectHash|trajectory_format|model_stats|mini_version)"\s*:/,
	/"(trajectory|history)"\s*:\s*\[/,
	/"(action|observation)"\s*:\s*"/,
	/"kind"\s*:\s*"\w*(Event|Observation)"/,
	/"projectID"\s*:/,
];
const isTelltale = (head: string) => telltales.some((telltale) => telltale.test(head));

/** Programs keep much else as JSON: such a file counts only where its head, and then the whole of it, speaks for it. */
async function isSessionFile(path: string): Promise<boolean> {
	const extension = extname(path);
	if (extension === ".jsonl" || extension === ".traj") return true;
	return extension === ".json" && isTelltale(await readHead(path)) && (await isRecognized(path));
}

/** In bytes: past the settings that some programs write ahead of the messages. */
const HEAD = 64 * 1024;

/** A pipe would be waited for, and a device has no end. */
async function readHead(path: string): Promise<string> {
	const found = await stat(path);
	if (!found.isFile() && !found.isDirectory()) {
		throw new CwlError("not-readable", `${path}: a pipe or a device, not a file; leave it out.`);
	}
	return await readBytes(path, 0, HEAD);
}

type UsualFolder = ReturnType<typeof listUsualFolders>[number];

/**
 * Every folder that may be there, as each agent's documentation names it, or its environment variable does: pi
 * (docs/usage.md), Claude Code (code.claude.com/docs/en/env-vars), Codex (codex-rs/core/src/rollout), Gemini CLI
 * (packages/core/src/config/storage.ts), Qwen Code (the same file of its repository), OpenHands (docs.openhands.dev/openhands/usage/cli/resume; version 0 kept
 * `sessions`), mini-swe-agent (its last run, docs/advanced/global_configuration.md).
 */
export function listUsualFolders(environment: Readonly<Record<string, string | undefined>>) {
	const home = homedir();
	const { CODEX_HOME, GEMINI_CLI_HOME, PI_CODING_AGENT_SESSION_DIR } = environment;
	const config = environment.XDG_CONFIG_HOME || join(home, ".config");
	const claude = environment.CLAUDE_CONFIG_DIR;
	const codex = CODEX_HOME || join(home, ".codex");
	const hands = environment.OPENHANDS_PERSISTENCE_DIR || join(home, ".openhands");
	return [
		{ agent: "pi", path: PI_CODING_AGENT_SESSION_DIR || join(agentDirectory(environment), "sessions") },
		...(claude ? [claude] : [join(home, ".claude"), join(config, "claude")]).map((folder) => ({
			agent: "Claude Code",
			path: join(folder, "projects"),
		})),
		{ agent: "Codex", path: join(codex, "sessions") },
		{ agent: "Codex", path: join(codex, "archived_sessions") },
		{ agent: "Gemini CLI", path: join(GEMINI_CLI_HOME || home, ".gemini", "tmp") },
		{ agent: "Qwen Code", path: join(home, ".qwen", "projects") },
		{ agent: "OpenHands", path: environment.OPENHANDS_CONVERSATIONS_DIR || join(hands, "conversations") },
		{ agent: "OpenHands", path: join(hands, "sessions") },
		{ agent: "mini-swe-agent", path: environment.MSWEA_GLOBAL_CONFIG_DIR || join(config, "mini-swe-agent") },
	];
}

export type FoundFolder = Awaited<ReturnType<typeof findUsualFolders>>[number];

/** The folders that hold sessions, and the bytes of their files; what is not there or cannot be read is passed over. */
export async function findUsualFolders(folders: readonly UsualFolder[]) {
	const found = [];
	for (const folder of folders) {
		const { places } = await findSessionFiles([folder.path]);
		if (places.length === 0) continue;
		const entries = await Promise.all([...new Set(places.map(({ path }) => path))].map((path) => stat(path)));
		const bytes = sum(entries, (entry) => (entry.isDirectory() ? 0 : entry.size));
		found.push({ ...folder, sessions: places.length, bytes });
	}
	return found;
}
