/** The checkpoint of the open session, and the one that a fresh session starts from. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Graph } from "#core/graph";
import {
	type Checkpoint,
	type CheckpointReport,
	checkpointPaths,
	composeCheckpoint,
	goalOf,
	lastMessageOf,
	loadCheckpoint,
	messageIds,
	type OldSession,
	readLogEntries,
	readManifest,
	type Steering,
	stateOf,
} from "#pi";
import type { Runtime } from "./state/runtime.ts";

/** The checkpoint of the open session; undefined before its first message. */
export async function checkpointOf(runtime: Runtime, ctx: ExtensionContext): Promise<Checkpoint | undefined> {
	const branch = ctx.sessionManager.getBranch();
	const last = lastMessageOf(branch);
	if (last === undefined) return undefined;
	const { input } = await runtime.session.planning(ctx);
	return composeCheckpoint({
		...{ session: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, last },
		savedAt: new Date().toISOString(),
		graph: input.graph,
		goal: runtime.settings.goal(),
		state: runtime.settings.state(),
		manifest: readManifest(branch),
	});
}

/** The checkpoint file of the open session, and if a fresh one would start from it; null without a file. */
export async function reportCheckpoint({
	sessionManager,
	cwd,
}: ExtensionContext): Promise<CheckpointReport | null> {
	const session = sessionManager.getSessionFile();
	if (!session) return null;
	const { json: file } = checkpointPaths(session);
	const messages = messageIds(sessionManager.getBranch());
	const loaded = await loadCheckpoint(file, { session: sessionManager.getSessionId(), cwd, messages });
	switch (loaded.type) {
		case "none":
			return null;
		case "loaded":
			return { file, savedAt: loaded.checkpoint.savedAt, problem: null };
		case "refused":
			return { file, savedAt: null, problem: loaded.reason };
		default:
			return loaded satisfies never;
	}
}

interface StartingPoint {
	readonly checkpoint: Checkpoint;
	/** Goal, task and constraints that a person may have edited in the file. */
	readonly steering: Steering;
	/** Why the file was not used, if there is one. */
	readonly problem: string | undefined;
}

/** The checkpoint file of an old session, or a checkpoint made from the session where there is none that fits. */
export async function startingPoint(file: string, old: OldSession, graph: Graph): Promise<StartingPoint> {
	const messages = messageIds(old.branch);
	const { json } = checkpointPaths(file);
	const loaded = await loadCheckpoint(json, { session: old.id, cwd: old.cwd, messages });
	if (loaded.type === "loaded") {
		const { checkpoint } = loaded;
		const { goal, current, constraints } = checkpoint;
		const state = { task: current.task, constraints: constraints.user, notedConstraints: constraints.noted };
		const steering = { ...(goal !== "" && { goal, doneGoal: "" }), ...stateOf(state) };
		return { checkpoint, steering, problem: undefined };
	}
	const { steering } = readLogEntries(old.branch);
	const checkpoint = composeCheckpoint({
		...{ session: old.id, cwd: old.cwd, last: messages.at(-1) ?? "", savedAt: "" },
		graph,
		goal: goalOf(steering.goal ?? "", steering.doneGoal),
		state: stateOf(steering),
		manifest: readManifest(old.branch),
	});
	return { checkpoint, steering: {}, problem: loaded.type === "refused" ? loaded.reason : undefined };
}
