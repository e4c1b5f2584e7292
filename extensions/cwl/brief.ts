/**
 * The brief of the session. Goal, active task and constraints reach the model at the tail, and again whenever they changed or
 * the message that carried them has left; the file next to the session carries them, and what was found out, into a fresh one.
 * It is saved when asked for, when the context is nearly full, after a refused request, and at the end of a goal, a task
 * or a session, each time with the figures of the last requests.
 */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { PlanInput } from "#core/planning";
import { messageOf, refusal } from "#pi";
import {
	briefPath,
	dueStateText,
	type GitPlace,
	isOfOtherBranch,
	loadBrief,
	messageIds,
	readBrief,
	updateBrief,
	writeBrief,
} from "#pi/brief";
import { itemTexts } from "#pi/codec";
import { describeTurns, type StateReport } from "#pi/health";
import { importInTurn, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";
import { type Outlook, readWhole } from "./state/session-state.ts";
import { readTurns } from "./turns.ts";

export function registerBrief(pi: ExtensionAPI, runtime: Runtime) {
	/** The text to append now, "" while the model sees the current state. */
	async function due(ctx: ExtensionContext): Promise<string> {
		if (!runtime.settings.isEnabled) return "";
		const visible = await runtime.injected.visible(ctx);
		const text = dueStateText(runtime.settings.goal(), runtime.settings.state(), visible.goal);
		if (text !== "") visible.goal = text;
		return text;
	}

	runtime.injected.withTurns("goal", due);
	runtime.injected.withResults("goal", due);
	pi.on("session_shutdown", async (_event, ctx) => {
		// A session without a request in this process has nothing new.
		if (!runtime.settings.isEnabled || !runtime.fixed.wasSent()) return;
		await saveBrief(runtime, ctx, "end of the session");
	});
}

/**
 * Saves the brief of a session with a file. One of another branch stays: a second process may be at work there. Never throws: a
 * problem is shown once, and nothing waits for the save.
 */
export async function saveBrief(runtime: Runtime, ctx: ExtensionContext, reason: string): Promise<void> {
	try {
		const file = ctx.sessionManager.getSessionFile();
		if (!file) return;
		if (isOfOtherBranch(readBrief(file) ?? "", ctx.sessionManager.getBranch())) {
			throw refusal("it is of another branch; /cwl brief sync writes it for this one.");
		}
		await syncBrief(runtime, ctx, reason);
	} catch (error) {
		const problem = messageOf(error);
		// A full disk has its own notice.
		if (problem === runtime.brief.problem || runtime.entries.isRefusing()) return;
		runtime.brief.problem = problem;
		tellProblem(ctx, "warning", `the brief was not saved: ${problem}`);
	}
}

/**
 * Takes a person's edits from the session's brief and writes the file again, after the save before it. The session file
 * holds the reason of each save.
 * @throws CwlError for a session without a file or a message, and for a brief that cannot be read or written
 */
export function syncBrief(
	runtime: Runtime,
	ctx: ExtensionContext,
	reason: string,
): ReturnType<typeof syncNow> {
	return runtime.brief.inTurn(() => syncNow(runtime, ctx, reason));
}

async function syncNow(runtime: Runtime, ctx: ExtensionContext, reason: string) {
	const file = ctx.sessionManager.getSessionFile();
	if (!file) {
		throw refusal("this session is kept in memory only: a brief needs a session file.");
	}
	const branch = ctx.sessionManager.getBranch();
	if (messageIds(branch).length === 0) throw refusal("nothing has been said yet that a brief could hold.");
	const outlook = await runtime.session.lookAhead(ctx);
	const update = updateBrief({
		input: wholeInput(outlook),
		goal: runtime.settings.goal(),
		state: runtime.settings.state(),
		session: ctx.sessionManager.getSessionId(),
		cwd: ctx.cwd,
		branch,
		git: await readGitPlace(ctx.cwd),
		savedAt: new Date().toISOString(),
		text: readBrief(file),
		health: describeTurns(await readTurns(runtime, ctx)),
	});
	// Taken before the file is written again: an edit is in one place or the other, whatever happens.
	if (Object.keys(update.steering).length > 0) runtime.settings.steer(ctx, update.steering);
	if (update.descriptions.size > 0) {
		runtime.decisions.describe(outlook, update.descriptions, update.pass);
	}
	await writeBrief(file, update.text);
	runtime.brief.problem = undefined;
	runtime.entries.note(ctx, "cwl.brief", { reason });
	return { update, path: briefPath(file) };
}

/** The unit is ms; the end of a session waits for it. */
const GIT_DEADLINE_MS = 1_000;

/** The branch and commit of a folder; undefined outside of a repository, and where git does not answer in time. */
async function readGitPlace(cwd: string): Promise<GitPlace | undefined> {
	const { readGitStatus } = await importInTurn(() => import("#workspace"));
	const status = await readGitStatus(cwd, { deadlineMs: GIT_DEADLINE_MS });
	if (status.type !== "repository") return undefined;
	return { branch: status.branch ?? "", commit: status.commit ?? "" };
}

/** The brief holds all of the session, also where pi has compacted it. */
function wholeInput(outlook: Outlook): PlanInput {
	const { messages, graph, view } = readWhole(outlook);
	if (graph === outlook.input.graph) return outlook.input;
	return { ...outlook.input, graph, view, textOf: itemTexts(messages, graph) };
}

/** The brief in the file of the open session, and if a fresh one would start from it; null without a file. */
export function reportBrief({ sessionManager, cwd }: ExtensionContext): StateReport["checkpoint"] {
	const session = sessionManager.getSessionFile();
	const branch = sessionManager.getBranch();
	const expected = { id: sessionManager.getSessionId(), cwd, branch, isOpen: true };
	const loaded = session ? loadBrief(session, expected) : undefined;
	return loaded ? { file: loaded.file, savedAt: loaded.savedAt, problem: loaded.problem } : null;
}
