/** `cwl memory`: the project memory of this folder's repository, shown, or brought up to date from its sessions. */
import {
	CwlError,
	createBoundedSession,
	createFileReader,
	defaultToolTable,
	describeMemory,
	describeUpdate,
	findingsOf,
	loadSettings,
	loadTokenCounter,
	MEMORY_OFF,
	readLogEntries,
	readManifest,
	readOldSession,
	reportMemory,
	repositoryOf,
	updateMemory,
} from "#pi";
import { readArguments } from "./arguments.ts";
import { type HostLibrary, loadHost } from "./host-library.ts";

const usage = `cwl memory [update]: what earlier sessions found out about this repository, and what a fresh one is told of it

  update     take up the sessions of this folder, and remove what they contradict
  --json     the memory, or what was written, as JSON
`;

/** Older sessions of a folder are not taken up. */
const MAX_SESSIONS = 50;

const flags = {
	json: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;

/** Returns 0. @throws CwlError for a memory that cannot be written, and for wrong arguments */
export async function runMemory(argv: readonly string[]): Promise<number> {
	const { values, positionals } = readArguments({ args: [...argv], options: flags, allowPositionals: true });
	const [verb] = positionals;
	if (values.help) return print(usage);
	const cwd = process.cwd();
	const { settings, problems } = loadSettings({ cwd, environment: process.env, flags: {} });
	for (const problem of problems) process.stderr.write(`cwl: ${problem}\n`);
	if (verb !== undefined && verb !== "update") {
		throw new CwlError("bad-memory-command", `cwl memory ${verb}: use cwl memory, or cwl memory update.`);
	}
	const count = await loadTokenCounter();
	if (verb === undefined) {
		const report = await reportMemory({ cwd, enabled: settings.memory }, createFileReader(), count);
		return print(values.json ? JSON.stringify(report) : describeMemory(report));
	}
	if (!settings.memory) throw new CwlError("memory-off", MEMORY_OFF);
	const root = repositoryOf(cwd);
	const sessions = await readSessions(cwd, root, await loadHost());
	const saved = await updateMemory(root, sessions, createFileReader());
	return print(
		values.json ? JSON.stringify({ version: 1, sessions: sessions.length, ...saved }) : describeUpdate(saved),
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
	const { descriptions } = readLogEntries(old.branch);
	const session = createBoundedSession(await loadTokenCounter(), defaultToolTable, {});
	session.describe(descriptions);
	const { graph } = session.inspect(old.messages);
	const { id, cwd, messages } = old;
	return findingsOf({ session: id, cwd, root, graph, messages, manifest: readManifest(old.branch) });
}

function print(text: string): number {
	process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
	return 0;
}
