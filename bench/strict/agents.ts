/**
 * Recorded sessions as agents send them through the proxy: steadily; with requests that are repeated, cancelled and compacted; and
 * with counted call ids, after another session with the same prompts and ids has left its passes in the store.
 */
import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { HostMessage } from "#pi/codec";
import { startManagedProxy } from "#proxy";
import {
	createMemoryStore,
	type Habits,
	type SentSession,
	sendSession,
} from "../../packages/proxy/test-support/sent-session.ts";
import { quarters } from "../../packages/proxy/test-support/small-requests.ts";
import { createWireAgent, type WireApi } from "../../packages/proxy/test-support/wire-agent.ts";

const MODELS: readonly (readonly [WireApi, string])[] = [
	["anthropic", "claude-fable-5-2"],
	["responses", "gpt-6.2-sol"],
	["completions", "deepseek-v4"],
];

export interface AgentRuns {
	readonly requests: number;
	readonly refusals: readonly { readonly refusal: string }[];
}

/** Sends a session as each of the agents; `budget` in tokens of four characters. */
export async function sendAsAgents(messages: readonly HostMessage[], budget: number): Promise<AgentRuns> {
	const refusals: string[] = [];
	let requests = 0;
	for (const [api, model] of MODELS) {
		const send = (habits: Habits, sent = messages) => sendSession(api, model, sent, budget, habits);
		const store = createMemoryStore();
		const runs: Readonly<Record<string, SentSession>> = {
			steady: send({}),
			unsteady: send({ isUnsteady: true }),
			"another conversation": send({ countsIds: true, store }, messages.map(withOtherResult)),
			"the same ids": send({ countsIds: true, store }),
		};
		for (const [name, run] of Object.entries(runs)) {
			const found = [...run.refusals];
			if (run.prefixBreaks > 0) found.push(`${run.prefixBreaks} prefix breaks without a pass`);
			if (run.silent > 0) found.push(`${run.silent} requests have no line about what left`);
			requests += run.requests;
			refusals.push(...found.map((refusal) => `${api}, ${name}: ${refusal}`));
		}
		if (runs["the same ids"]?.digest !== send({ countsIds: true }).digest)
			refusals.push(`${api}: a pass of another conversation acts`);
		const { last } = runs.steady ?? {};
		if (last && !(await passUpgrade(last, createWireAgent(api, model).path)).equals(last))
			refusals.push(`${api}: an upgrade lost the body`);
	}
	return { requests, refusals: refusals.map((refusal) => ({ refusal })) };
}

function withOtherResult(message: HostMessage): HostMessage {
	if (message.role !== "toolResult") return message;
	return { ...message, content: [...message.content, { type: "text", text: "other" }] };
}

/** The body that a provider gets of a request that asks for HTTP/2, as `curl --http2` does. */
async function passUpgrade(body: Buffer, path: string): Promise<Buffer> {
	let seen = Buffer.alloc(0);
	const provider = createServer(async (incoming, response) => {
		seen = await buffer(incoming);
		response.end("{}");
	});
	await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
	const address = provider.address();
	const port = typeof address === "object" ? address?.port : undefined;
	const started = await startManagedProxy({
		...{ mode: "observe", port: 0, budget: 1, folder: "", reader: quarters, tools: {} },
		...{ upstreams: new Map([["p", new URL(`http://127.0.0.1:${port}`)]]), answerRecall: () => "" },
		warn: console.error,
	});
	if (started.type !== "started") throw new Error(`the proxy did not start: ${started.type}`);
	const headers = {
		connection: "Upgrade, HTTP2-Settings",
		upgrade: "h2c",
		"http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA",
	};
	await new Promise<void>((resolve, reject) => {
		const sent = request(`${started.proxy.url}/p${path}`, { method: "POST", headers, timeout: 10_000 });
		sent.on("response", (answer) => answer.resume().on("end", resolve));
		sent.on("timeout", () => sent.destroy(new Error("an upgrade request hangs"))).on("error", reject);
		sent.end(body);
	});
	await started.proxy.close();
	provider.close();
	return seen;
}
