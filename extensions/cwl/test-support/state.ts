/** The state that a session reports. */

import type { StateReport } from "#pi/health";
import type { ModelRequest } from "#testing";
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

/** Every text of ours about the goal in a request, oldest first. */
export function goalsIn(request: ModelRequest | undefined): readonly string[] {
	const texts = (request?.messages ?? []).flatMap(({ type, text }) => (type === "assistant" ? [] : [text]));
	return texts.flatMap((text) =>
		[...text.matchAll(/<goal \d{6}>\n([\s\S]*?)\n<\/goal>/g)].map(([, goal]) => goal ?? ""),
	);
}
