/** The state that a session reports. */

import type { StateReport } from "#pi/health";
import type { FrameTag } from "#pi/prompt";
import type { ModelMessage, ModelRequest } from "#testing";
import type { Notice, RpcSession } from "./rpc-session.ts";

/** The texts of notices, one after the other. */
export function textOf(notices: readonly Notice[]): string {
	return notices.map(({ text }) => text).join("\n");
}

/** The answer of `/cwl report --json`, which a notice of a check may come before. */
export async function readState(pi: RpcSession): Promise<StateReport> {
	const notices = await pi.command("/cwl report --json");
	return JSON.parse(textOf(notices.filter(({ text }) => text.startsWith("{"))));
}

/** The level of an episode. */
export async function levelOf(pi: RpcSession, name: string): Promise<number | undefined> {
	const { episodes } = await readState(pi);
	return episodes.find((episode) => episode.name === name)?.level;
}

/** Every text of ours with this tag in what is not the model's own, oldest first. */
export function framesIn(tag: FrameTag, messages: readonly ModelMessage[] = []): readonly string[] {
	const texts = messages.flatMap(({ type, text }) => (type === "assistant" ? [] : [text]));
	const frame = new RegExp(`<${tag} \\d{6}>\n([\\s\\S]*?)\n</${tag}>`, "g");
	return texts.flatMap((text) => [...text.matchAll(frame)].map(([, said = ""]) => said));
}

/** Every text of ours about the goal in a request, oldest first. */
export const goalsIn = (request: ModelRequest | undefined) => framesIn("goal", request?.messages);
