/** `cwl notes`: writes and reads the notes of a session that is not open, as `/cwl notes` does in an open one. */
import {
	budgetTokens,
	CwlError,
	createBoundedSession,
	createLogWriter,
	defaultToolTable,
	describeEdits,
	goalOf,
	loadSettings,
	loadTokenCounter,
	type NotesUpdate,
	notesPath,
	type OldSession,
	policyByName,
	readLogEntries,
	readNotes,
	readOldSession,
	updateNotes,
	writeNotes,
} from "#pi";
import { readArguments } from "./arguments.ts";
import { type HostLibrary, loadHost } from "./host-library.ts";
import { findSession } from "./session-finder.ts";

const usage = `cwl notes [SESSION]: write the goal and the episodes of a session as Markdown next to its file. Edit that file and run the
command again: your edits become part of the session.

  SESSION      its file, or the beginning of its id; the latest of this folder without one
`;

/** Returns 0. @throws CwlError for a session that cannot be read or written */
export async function runNotes(argv: readonly string[]): Promise<number> {
	const options = { help: { type: "boolean" } } as const;
	const { values, positionals } = readArguments({ args: [...argv], options, allowPositionals: true });
	if (values.help) {
		process.stdout.write(usage);
		return 0;
	}
	const host = await loadHost();
	const file = await findSession(positionals[0], host);
	const path = notesPath(file);
	const update = await readUpdate(await readOldSession(file, host), await readNotes(path));
	save(host, file, update);
	await writeNotes(path, update.text);
	process.stdout.write(`${describeEdits(update, path)}\n`);
	return 0;
}

async function readUpdate(old: OldSession, text: string | undefined): Promise<NotesUpdate> {
	const { passes, steering, descriptions, outputs } = readLogEntries(old.branch);
	const session = createBoundedSession(await loadTokenCounter(), defaultToolTable, { outputs });
	session.describe(descriptions);
	session.restore(passes);
	const { settings } = loadSettings({ cwd: old.cwd, environment: process.env, flags: {}, steering });
	const budget = budgetTokens(settings.budget, undefined, settings.attentionCap);
	// Nothing is evicted here, so the tokens of prompt and tools do not matter.
	const fixed = { system: 0, tools: 0 };
	const input = session.planInput(old.messages, { policy: policyByName(settings.policy), budget, fixed });
	const goal = goalOf(settings.goal, steering.doneGoal);
	return updateNotes({ input, goal, session: old.id, cwd: old.cwd, text });
}

/** @throws CwlError `no-answer` for a session without an answer: pi does not save to its file */
function save({ SessionManager }: HostLibrary, file: string, { goal, descriptions, pass }: NotesUpdate) {
	if (goal === undefined && descriptions.size === 0) return;
	const session = SessionManager.open(file);
	if (!session.getBranch().some((entry) => entry.type === "message" && entry.message.role === "assistant")) {
		throw new CwlError("no-answer", "this session has no answer yet: open it, and use /cwl notes there.");
	}
	const log = createLogWriter(
		(type, data) => session.appendCustomEntry(type, data),
		(what, reason) => {
			throw new CwlError("unwritten", `${what} could not be written to ${file} (${reason}).`);
		},
	);
	if (goal !== undefined) log.steer({ goal, doneGoal: "" });
	log.describe(descriptions);
	if (pass) log.pass(pass);
}
