/** `cwl memory`: the project memory of this folder's repository, shown, or brought up to date from its sessions; and the brief of one session. */

import { CwlError, messageOf } from "#pi";
import {
	type BriefUpdate,
	briefPath,
	describeBriefUpdate,
	describeMemory,
	describeUpdate,
	findingsOf,
	goalOf,
	readBrief,
	reportMemory,
	repositoryOf,
	stateOf,
	updateBrief,
	updateMemory,
	writeBrief,
} from "#pi/brief";
import { isAnswer, loadTokenCounter, messagesOf } from "#pi/codec";
import { createFileReader } from "#pi/files";
import {
	createManagedSession,
	DESCRIPTION_ENTRY,
	type OldSession,
	PASS_ENTRY,
	policyByName,
	readLogEntries,
	readOldSession,
	STEERING_ENTRY,
	type WriteEntry,
} from "#pi/session";
import { budgetTokens, loadSettings } from "#pi/settings";
import { jsonText, print, readCommand } from "./command-line.ts";
import { type HostLibrary, loadHost } from "./host.ts";
import { findSession } from "./session-finder.ts";

const usage = `cwl memory [update]: what earlier sessions found out about this repository, and what a fresh one is given of it

  update           add the sessions of this folder, and remove what they contradict
  brief [SESSION]  write goal, constraints and episodes of a session as Markdown next to its file; run it again after you
                   edited that file, and your edits become part of the session. SESSION is a file or the beginning of an
                   id; the latest session of this folder without one
  --json           the memory, what was written, or the state in the brief, as JSON
`;

/** Older sessions of a folder are not added. */
const MAX_SESSIONS = 50;

/** Returns 0. @throws CwlError for a memory that cannot be written, and for wrong arguments */
export async function runMemory(argv: readonly string[]): Promise<number> {
	const read = readCommand(argv, usage, { json: { type: "boolean" } }, true);
	if (!read) return 0;
	const { values, positionals } = read;
	const [verb, session] = positionals;
	if (verb === "brief") return print(await syncBrief(session, values.json));
	const cwd = process.cwd();
	const { settings, problems } = loadSettings({ cwd, environment: process.env, flags: {} });
	for (const problem of problems) process.stderr.write(`cwl: ${problem}\n`);
	if (verb !== undefined && verb !== "update") {
		throw new CwlError(
			"bad-memory-command",
			`cwl memory ${verb}: use cwl memory, cwl memory update or cwl memory brief.`,
		);
	}
	const count = await loadTokenCounter();
	if (verb === undefined) {
		const about = { cwd, enabled: settings.memory, goal: settings.goal };
		const report = await reportMemory(about, createFileReader(), count);
		return print(values.json ? jsonText(report) : describeMemory(report));
	}
	const root = repositoryOf(cwd);
	const sessions = await readSessions(cwd, root, await loadHost());
	const saved = await updateMemory(root, sessions, createFileReader());
	return print(
		values.json ? jsonText({ version: 1, sessions: sessions.length, ...saved }) : describeUpdate(saved),
	);
}

/** The findings of the newest sessions of a folder. One that cannot be read is named, and the others go on. */
async function readSessions(cwd: string, root: string, host: HostLibrary) {
	const files = await host.SessionManager.list(cwd);
	const newest = files.toSorted((a, b) => b.modified.getTime() - a.modified.getTime()).slice(0, MAX_SESSIONS);
	const found = [];
	for (const { path } of newest) {
		try {
			found.push(await readSession(path, root, host));
		} catch (error) {
			if (!(error instanceof CwlError)) throw error;
			process.stderr.write(`cwl: ${error.message}\n`);
		}
	}
	return found;
}

async function readSession(path: string, root: string, host: HostLibrary) {
	const old = await readOldSession(path, host);
	const { descriptions, steering } = readLogEntries(old.branch);
	const { graph } = createManagedSession(await loadTokenCounter(), { descriptions }).inspect(old.messages);
	return findingsOf({ ...old, session: old.id, root, graph, goal: steering.goal });
}

/**
 * Writes and reads the brief of a session that is not open, as `/cwl brief sync` does in an open one.
 * @throws CwlError for a session that cannot be read or written
 */
async function syncBrief(named: string | undefined, asJson = false): Promise<string> {
	const host = await loadHost();
	const file = await findSession(named, host);
	const update = await readUpdate(await readOldSession(file, host), readBrief(file));
	save(host, file, update);
	await writeBrief(file, update.text);
	return asJson ? jsonText(update.data) : describeBriefUpdate(update, briefPath(file));
}

async function readUpdate(old: OldSession, text: string | undefined): Promise<BriefUpdate> {
	const log = readLogEntries(old.branch);
	const { steering } = log;
	const session = createManagedSession(await loadTokenCounter(), log);
	const { settings } = loadSettings({ cwd: old.cwd, environment: process.env, flags: {}, steering });
	const budget = budgetTokens(settings.budget, undefined, settings.attentionCap);
	// Nothing is evicted here, so the tokens of prompt and tools do not matter.
	const fixed = { system: 0, tools: 0 };
	const input = session.planInput(old.messages, { policy: policyByName(settings.policy), budget, fixed });
	return updateBrief({
		...old,
		session: old.id,
		input,
		goal: goalOf(settings.goal, steering.doneGoal),
		state: stateOf(steering),
		text,
		savedAt: new Date().toISOString(),
	});
}

/** @throws CwlError `no-answer` for a session without an answer: pi does not save to its file */
function save({ SessionManager }: HostLibrary, file: string, { steering, descriptions, pass }: BriefUpdate) {
	const isSteered = Object.keys(steering).length > 0;
	if (!isSteered && descriptions.size === 0) return;
	const session = SessionManager.open(file);
	if (!messagesOf(session.getBranch()).some(isAnswer)) {
		throw new CwlError(
			"no-answer",
			"this session has no answer yet: open it, and use /cwl brief sync there.",
		);
	}
	const write: WriteEntry = (type, data) => {
		try {
			session.appendCustomEntry(type, data);
		} catch (error) {
			throw new CwlError(
				"unwritten",
				`an entry (${type}) could not be written to ${file} (${messageOf(error)}).`,
			);
		}
	};
	if (isSteered) write(STEERING_ENTRY, steering);
	for (const [episode, text] of descriptions) write(DESCRIPTION_ENTRY, { episode, text });
	if (pass) write(PASS_ENTRY, pass);
}
