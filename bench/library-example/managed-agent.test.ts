import { readFileSync } from "node:fs";
import type { AgentTool } from "@mariozechner/pi-agent-core";
import { expect, test } from "vitest";
import type { ModelRequest } from "#loopback";
import { loadTokenCounter } from "#pi";
import { createScriptedStream } from "../scripted-stream.ts";
import { createManagedAgent } from "./managed-agent.ts";

const BUDGET = 8_000;
const PROMPTS = 6;

const read: AgentTool = {
	name: "read",
	label: "read",
	description: "Reads a file.",
	parameters: { type: "object", properties: { path: { type: "string" } } },
	execute: async (id) => ({
		content: [{ type: "text", text: `${id} holds some text. `.repeat(300) }],
		details: {},
	}),
};

/** Reads one file per prompt, then stops. */
function reader(requests: ModelRequest[]) {
	return createScriptedStream((request) => {
		requests.push(request);
		const isDone = request.messages.at(-1)?.type === "result";
		return isDone
			? { text: "Done." }
			: { calls: [{ name: "read", arguments: { path: `${requests.length}.ts` } }] };
	});
}

test("the agent of the example stays within its budget and keeps every prompt", async () => {
	const requests: ModelRequest[] = [];
	const options = { streamFn: reader(requests), initialState: { tools: [read] } };
	const agent = await createManagedAgent(BUDGET, { system: 0, tools: 100 }, options);
	const prompts = Array.from({ length: PROMPTS }, (_, index) => `Please read file ${index}.`);
	for (const prompt of prompts) await agent.prompt(prompt);
	const count = await loadTokenCounter();
	const sizes = requests.map(({ messages }) => count(JSON.stringify(messages)));
	expect(count(JSON.stringify(agent.state.messages))).toBeGreaterThan(BUDGET);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(BUDGET);
	const sent = requests
		.at(-1)
		?.messages.flatMap((message) => (message.type === "user" ? [message.text] : []));
	expect(sent).toEqual(expect.arrayContaining(prompts));
});

test("docs/library.md shows the example as it is", () => {
	const [docs, source] = ["../../docs/library.md", "./managed-agent.ts"].map((path) =>
		readFileSync(new URL(path, import.meta.url), "utf8"),
	);
	const code = source?.slice(source.indexOf("import"));
	expect(docs).toContain(`\`\`\`ts\n${code}\`\`\``);
});
