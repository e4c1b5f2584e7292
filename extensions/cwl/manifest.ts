/**
 * The resume manifest: what every file that the session read or wrote held when it was last seen. When a session is
 * opened again, or moved in its tree, its user and the model learn which of them are no longer what they were.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { locate } from "#pi/codec";
import {
	compareManifest,
	createFileReader,
	describeChanges,
	FILES_ENTRY,
	type FileState,
	fileOfCall,
	type Manifest,
	type ReadFileState,
	readManifest,
} from "#pi/files";
import { harmlessTools } from "./git-status.ts";
import { onBranchOpened, tellNotice } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

type States = ReadonlyMap<string, FileState>;

/** Files that are named to the user, and to the model. */
const SHOWN = 6;
const NAMED = 20;

export function registerManifest(pi: ExtensionAPI, runtime: Runtime) {
	let manifest = new Map<string, FileState>();
	/** Files that calls have worked on since the last entry, by name. */
	let touched = new Map<string, FileState>();
	const read = createFileReader();
	/** The differences found when the session was opened, until the model has been informed; undefined without any. */
	let differences: ReturnType<typeof findDifferences> = Promise.resolve(undefined);

	/** Keep what changed of these files. */
	function keep(ctx: ExtensionContext, states: States) {
		const news = [...states].filter(([name, state]) => manifest.get(name) !== state);
		if (news.length === 0) return;
		runtime.entries.note(ctx, FILES_ENTRY, { files: Object.fromEntries(news) });
		for (const [name, state] of news) manifest.set(name, state);
	}

	function open(ctx: ExtensionContext) {
		manifest = new Map(readManifest(ctx.sessionManager.getBranch()));
		touched = new Map();
		// Not awaited: opening a session does not wait for the disk.
		differences = findDifferences(ctx.cwd, manifest, read).then((found) => {
			if (found && runtime.settings.isEnabled) tellNotice(ctx, describeChanges(found.changes, SHOWN));
			return found;
		});
	}

	onBranchOpened(pi, open);
	// Awaited, so that what is kept is what the call saw or left, and not what the next one made of it.
	pi.on("tool_result", async (event, ctx) => {
		const ofSession = manifest;
		const name = event.isError ? undefined : fileOfCall(ctx.cwd, event.toolName, event.input);
		const state = name === undefined ? undefined : await read(locate(ctx.cwd, name));
		// A change by this session's own command is not reported when the session is opened again.
		const others = harmlessTools.has(event.toolName) ? new Map() : await readStates(ctx.cwd, manifest, read);
		// Another session may have been opened meanwhile.
		if (manifest !== ofSession) return undefined;
		for (const [other, now] of others) if (manifest.get(other) !== now) touched.set(other, now);
		if (name !== undefined && state !== undefined) touched.set(name, state);
		return undefined;
	});
	// Must not wait for anything, nor may a handler of agent_end: pi 0.73.1 continues meanwhile, and may end.
	pi.on("turn_end", (_event, ctx) => {
		keep(ctx, touched);
		touched = new Map();
	});
	runtime.injected.withTurns("changed-files", async (ctx) => {
		const found = await differences;
		differences = Promise.resolve(undefined);
		if (!found || !runtime.settings.isEnabled) return undefined;
		keep(ctx, found.now);
		return `${describeChanges(found.changes, NAMED)}. What you saw of them may be out of date.`;
	});
}

/** The changes since the manifest was written, and the states to keep once the model knows them; undefined without any. */
async function findDifferences(cwd: string, manifest: Manifest, read: ReadFileState) {
	const now = await readStates(cwd, manifest, read);
	const changes = compareManifest(manifest, now);
	return changes.length === 0 ? undefined : { changes, now };
}

/** One after the other, as there may be more of them than files may be open. */
async function readStates(cwd: string, manifest: Manifest, read: ReadFileState): Promise<States> {
	const states = new Map<string, FileState>();
	for (const name of manifest.keys()) {
		const state = await read(locate(cwd, name));
		if (state !== undefined) states.set(name, state);
	}
	return states;
}
