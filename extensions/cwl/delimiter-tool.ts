/**
 * The delimiter tool as pi runs it and shows it: a thin boundary line instead of a tool box, with what became of
 * the episode.
 */

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { fieldsOf } from "#basics";
import {
	admitDelimiter,
	advanceProtocol,
	DELIMITER,
	type DelimiterCommand,
	describeCommand,
	type EpisodeKind,
} from "#core/annotation";
import { splitLabelled } from "#core/transcript";
import { noteLines } from "#pi/brief";
import { contentText, detailsOf, messagesOf } from "#pi/codec";
import { toolWords } from "#pi/prompt";
import { boundaryLine, shorten } from "#pi/screen";
import { saveBrief } from "./brief.ts";
import type { Runtime } from "./state/runtime.ts";

export function registerDelimiter(pi: ExtensionAPI, runtime: Runtime) {
	pi.registerTool({
		...toolWords.delimiter,
		label: "delimiter",
		renderShell: "self",
		// Drawn for every frame, so that a line shows at once that its episode was evicted.
		renderCall: (args, theme) =>
			component((width) => [theme.fg("dim", boundaryLine(args, levelOf(runtime, args), width))]),
		// The line has said it all, unless the call was refused.
		renderResult: (result, _options, theme, { isError }) =>
			component((width) =>
				isError ? [theme.fg("error", shorten(`   refused: ${contentText(result.content)}`, width))] : [],
			),
		// Judges and advances before its first await, so that siblings in one message take effect in their order.
		async execute(_id, params, _signal, _onUpdate, ctx) {
			const { protocol } = runtime.lastRequest;
			const kinds = new Map([...summarizedNames(ctx), ...protocol.kinds]);
			const decision = admitDelimiter({ ...protocol, kinds }, params);
			// A thrown error is the one way to refuse a call that every host version knows.
			if (decision.type === "rejected") throw new Error(decision.message);
			const said = describeCommand(protocol, decision.command);
			runtime.lastRequest.protocol = advanceProtocol(protocol, decision.command);
			noteState(runtime, ctx, decision.command);
			return { content: [{ type: "text", text: said }], details: decision.command };
		},
	});
}

/** The episodes that began before the last compaction, whose names stay theirs: the log of evictions and recall go by them. */
function summarizedNames({ sessionManager }: ExtensionContext): ReadonlyMap<string, EpisodeKind> {
	const branch = sessionManager.getBranch();
	const before = branch.slice(
		0,
		Math.max(
			0,
			branch.findLastIndex(({ type }) => type === "compaction"),
		),
	);
	return new Map(
		detailsOf(messagesOf(before), DELIMITER).flatMap((details) => {
			const { name, kind } = fieldsOf(details);
			return typeof name === "string" && (kind === "act" || kind === "expl") ? [[name, kind] as const] : [];
		}),
	);
}

/** A description that ends an expl may name the active task and constraints. */
function noteState(runtime: Runtime, ctx: ExtensionContext, command: DelimiterCommand) {
	const { settings } = runtime;
	const description = command.type === "end" ? command.description : undefined;
	const state = description && noteLines(settings.state(), splitLabelled(description).labelled);
	if (!state) return;
	const { task } = settings.state();
	settings.steer(ctx, { task: state.task, notedConstraints: state.notedConstraints });
	if (task !== "" && state.task === "") void saveBrief(runtime, ctx, "end of the task");
}

function component(render: (width: number) => string[]) {
	return { render, invalidate() {} };
}

/** The name of a declared episode is its id. */
function levelOf(runtime: Runtime, args: unknown): number {
	const { action, name } = fieldsOf(args);
	return action === "start" && typeof name === "string" ? runtime.session.levelOf(name) : 0;
}
