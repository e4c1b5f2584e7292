/**
 * `--cwl-soft SESSION`: a fresh session that continues an old one without its bodies. Settings, goal and manifest
 * come along as entries. The files of older sessions are read, never written.
 */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import * as host from "@mariozechner/pi-coding-agent";
import { countOf } from "#basics";
import { withDescriptions } from "#core/planning";
import { CwlError, refusal } from "#pi";
import { loadBrief, readCarried, readWork, workText } from "#pi/brief";
import { type HostMessage, itemTexts, loadTokenCounter } from "#pi/codec";
import { FILES_ENTRY, readManifest } from "#pi/files";
import {
	createManagedSession,
	ORIGIN_ENTRY,
	originOf,
	planSoftStart,
	readLogEntries,
	readOldSession,
	SOFT_MESSAGE,
	STEERING_ENTRY,
	TURN_MESSAGE,
} from "#pi/session";
import { tellNotice, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";

/** The share of the budget that the lines of the old session's episodes may take. */
const INDEX_SHARE = 0.08;

export function registerSoftResume(pi: ExtensionAPI, runtime: Runtime) {
	pi.registerFlag("cwl-soft", {
		description: "Go on from an old session (a file) without its bodies: goal, user turns, episode lines",
		type: "string",
	});
	pi.on("session_start", async ({ reason }, ctx) => {
		const file = pi.getFlag("cwl-soft");
		if (typeof file !== "string" || file === "" || reason !== "startup") return;
		try {
			await begin(pi, runtime, ctx, file);
		} catch (error) {
			if (!(error instanceof CwlError)) throw error;
			tellProblem(ctx, "error", `cannot go on from there: ${error.message}`);
		}
	});
}

async function begin(pi: ExtensionAPI, runtime: Runtime, ctx: ExtensionContext, file: string) {
	if (ctx.sessionManager.getBranch().some(({ type }) => type === "message")) {
		throw refusal("this session has begun already; leave -c, --resume and --session away.");
	}
	const old = await readOldSession(file, host);
	const count = await loadTokenCounter();
	const { steering, descriptions } = readLogEntries(old.branch);
	const known = createManagedSession(count, { descriptions }).inspect(old.messages).graph;
	const brief = loadBrief(file, { ...old, episodes: known.episodes });
	if (brief?.problem) {
		tellProblem(ctx, "warning", `the brief is not used, and the session is read instead: ${brief.problem}`);
	}
	const graph = withDescriptions(known, brief?.edits?.descriptions ?? new Map());
	const work = readWork(graph, old.cwd, itemTexts(old.messages, graph), readCarried(old.branch));
	const { turns, indexes } = planSoftStart(
		old.messages,
		graph,
		count,
		INDEX_SHARE * runtime.gauge.read(ctx).budget,
		workText(work, brief?.git),
	);

	runtime.entries.note(ctx, ORIGIN_ENTRY, { file, left: { ...work.lists, done: work.done } });
	const start = { ...steering, ...brief?.edits?.steering };
	if (Object.keys(start).length > 0) runtime.entries.note(ctx, STEERING_ENTRY, start);
	const files = readManifest(old.branch);
	if (files.size > 0) runtime.entries.note(ctx, FILES_ENTRY, { files: Object.fromEntries(files) });
	for (const content of turns) pi.sendMessage({ customType: TURN_MESSAGE, content, display: true });
	for (const content of indexes) pi.sendMessage({ customType: SOFT_MESSAGE, content, display: true });

	const what = `${countOf(turns.length, "user turn")} and the lines of ${countOf(graph.episodes.length, "episode")}`;
	tellNotice(ctx, `a fresh session goes on from ${file} with ${what}.`);
}

/**
 * The messages of the older sessions that this one continues, the oldest session first, back to the first or to one that
 * cannot be read, with the reason.
 */
export async function readEarlier({ sessionManager }: ExtensionContext) {
	const seen = new Set<string>();
	let messages: readonly HostMessage[] = [];
	let file = originOf(sessionManager.getBranch());
	while (file !== undefined && !seen.has(file)) {
		seen.add(file);
		try {
			const old = await readOldSession(file, host);
			messages = [...old.messages, ...messages];
			file = originOf(old.branch);
		} catch (error) {
			if (!(error instanceof CwlError)) throw error;
			return { messages, problem: error.message };
		}
	}
	return { messages, problem: undefined };
}
