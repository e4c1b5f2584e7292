/** The words of model and user: steps of core's drawn sessions, the delimiter answered by the branch that they are written to. */
import type { HostMessage } from "#pi/codec";
import { answered, call, type MessageDraft } from "../../packages/core/test-support/message-builders.ts";
import { writeStep as draftStep } from "../../packages/core/test-support/session-writer.ts";
import type { Dress } from "../../packages/pi/test-support/drawn-messages.ts";
import { words } from "../../packages/pi/test-support/host-messages.ts";
import { loadLibrary } from "../pi-host.ts";
import type { Of } from "./any-script.ts";
import type { EntryBody } from "./session-file.ts";
import { type World, wireOf, write } from "./world.ts";

const { VERSION } = await loadLibrary();
/** pi 0.73.1 leaves out thinking of Anthropic's that has no text. */
export const losesSealed = VERSION.startsWith("0.73.");

export function writeStep(world: World, { step, picks, stopReason }: Of<"step">) {
	const { writer, session, file } = world;
	const { protocol } = session.inspect(file.context()).graph;
	Object.assign(writer, { drafts: [], protocol, starts: protocol.kinds.size });
	draftStep(writer, step);
	const failed = stopReason === "aborted" || stopReason === "error";
	const drafts = failed ? writer.drafts.filter(({ author }) => author !== "tool") : writer.drafts;
	for (const message of dress(world, drafts, { picks, stopReason })) write(world, entryOf(message));
}

/** Appends a call of `recall` and its answer. */
export function writeRecall(world: World, query: string, text: string) {
	const drafts = answered(1, call(`c${++world.writer.calls}`, "recall", { query }));
	for (const message of dress(world, drafts, { picks: [1], stopReason: "toolUse" }))
		write(world, entryOf(message.role === "toolResult" ? { ...message, content: [words(text)] } : message));
}

function dress(world: World, drafts: readonly MessageDraft[], given: Pick<Dress, "picks" | "stopReason">) {
	const tick = () => {
		// Messages of one batch often share their time.
		world.clock += world.writer.calls % 3 === 0 ? 0 : 1;
		return world.clock;
	};
	return world.dress(drafts, { ...given, tick, writer: { ...wireOf(world), losesSealed } });
}

function entryOf(message: HostMessage): EntryBody {
	return message.role === "custom" ? { ...message, type: "custom_message" } : { type: "message", message };
}
