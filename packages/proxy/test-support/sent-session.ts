/** Sends a whole session through the engine, request by request, as an agent would. */
import type { HostMessage } from "#pi/codec/host-message.ts";
import { defaultToolTable } from "#pi/tool-profiles.ts";
import { createProjector } from "../enforce/projector.ts";
import { createMemoryStore } from "../pass-store.ts";
import { findEndpoint } from "../wire/formats.ts";
import { answerWithTexts, quarters } from "./small-requests.ts";
import { createWireAgent, type Fields, type WireApi } from "./wire-agent.ts";

export interface SentSession {
	readonly requests: number;
	/** Requests whose bytes were changed. */
	readonly edited: number;
	readonly passes: number;
	/** Requests that do not begin with the one before, although no pass was made. */
	readonly prefixBreaks: number;
	/** Reasons of strict providers, with the request's number. */
	readonly refusals: readonly string[];
}

/** `budget` in tokens of four characters. */
export function sendSession(
	api: WireApi,
	model: string,
	messages: readonly HostMessage[],
	budget: number,
): SentSession {
	const agent = createWireAgent(api, model);
	const endpoint = findEndpoint(agent.path);
	const project = createProjector({
		budget,
		reader: quarters,
		tools: defaultToolTable,
		store: createMemoryStore(),
		answerRecall: answerWithTexts,
		warn: (line) => refusals.push(line),
	});
	const refusals: string[] = [];
	let [requests, edited, passes, prefixBreaks] = [0, 0, 0, 0];
	let before: readonly string[] = [];
	for (const message of messages) {
		if (message.role !== "assistant") {
			agent.add(message);
			continue;
		}
		const body = Buffer.from(JSON.stringify(agent.body()));
		const projection = endpoint && project(endpoint, body);
		if (projection?.type !== "projected") throw new Error(projection?.reason ?? "no endpoint");
		requests += 1;
		if (projection.body !== body) edited += 1;
		const sent: Fields = JSON.parse(projection.body.toString());
		const refusal = agent.judge(sent);
		if (refusal !== undefined) refusals.push(`request ${requests}: ${refusal}`);
		const texts = textsOf(sent);
		if (projection.pass) passes += 1;
		else if (!before.every((text, index) => texts[index] === text)) prefixBreaks += 1;
		before = texts;
		agent.add(message, sent);
	}
	return { requests, edited, passes, prefixBreaks, refusals };
}

/** The messages of a body without the cache marker, which moves to the end of every request. */
function textsOf(body: Fields): readonly string[] {
	const list = Array.isArray(body.messages) ? body.messages : Array.isArray(body.input) ? body.input : [];
	return list.map((message: unknown) =>
		JSON.stringify(message, (key, value) => (key === "cache_control" ? undefined : value)),
	);
}
