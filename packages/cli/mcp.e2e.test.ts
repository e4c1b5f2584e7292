/** The program `cwl mcp` itself, called by a client of the official SDK, alone and together with `cwl proxy`. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { fieldsOf, isRecord, recordsOf, type UnknownRecord } from "#basics";
import type { ModelReply, ModelRequest } from "#testing";
import { startLoopback } from "#testing/server";
import { createScratch } from "../workspace/test-support/scratch.ts";
import { program, startProgram } from "./test-support/proxy-process.ts";

async function startTools(cwd: string): Promise<Client> {
	const client = new Client({ name: "test", version: "1" });
	const transport = new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], cwd });
	await client.connect(transport);
	onTestFinished(() => client.close());
	return client;
}

async function call(client: Client, name: string, args: UnknownRecord) {
	const { content, isError } = await client.callTool({ name, arguments: { ...args } });
	const texts = recordsOf(content).map(({ text: each }) => each);
	return { text: texts.join("\n"), isError: isError === true };
}

test("a line without end closes the server with a sentence", async () => {
	const server = spawn(process.execPath, [program, "mcp"], { cwd: createScratch() });
	onTestFinished(() => void server.kill());
	const said = text(server.stderr);
	server.stdin.on("error", () => undefined);
	server.stdin.write("x".repeat(12_000_000));
	expect(await once(server, "close")).toEqual([1, null]);
	expect(await said).toMatch(/^cwl mcp: .*10485760 bytes.*\n$/);
});

test("glob and grep search the folder of the agent, and a wrong call is told what fits", async () => {
	const folder = createScratch();
	mkdirSync(join(folder, "src"));
	writeFileSync(join(folder, "src", "a.ts"), "const limit = 7;\n");
	const tools = await startTools(folder);
	expect((await call(tools, "glob", { pattern: "**/*.ts" })).text).toContain("src/a.ts");
	expect((await call(tools, "grep", { pattern: "limit" })).text).toContain("const limit = 7;");
	expect(await call(tools, "grep", { patern: "limit" })).toMatchObject({
		isError: true,
		text: expect.stringMatching(/^\{"patern":"limit"\} does not fit grep: use .*required: pattern\.$/),
	});
	expect(await call(tools, "glob", { pattern: "*", path: "/nowhere" })).toMatchObject({ isError: true });
	const long = await call(tools, "grep", { patern: "\u202e".repeat(9_000) });
	expect(long.text).toMatch(/^\{"patern":"(?:\\u202e){9}[^\u202e]{0,2000} does not fit grep/);
	expect(await call(tools, "sed", {})).toEqual({ isError: true, text: 'there is no tool "sed".' });
});

const FILES = 16;

function contentOf(file: number): string {
	return Array.from({ length: 40 }, (_, line) => `file ${file} has line ${line}`).join("\n");
}

/** A model that reads files, each in an episode of its own; then it recalls one and makes a wrong mark. */
function replyTo(turn: number): ModelReply {
	const mark = (args: UnknownRecord) => ({ name: "mcp__cwl__delimiter", arguments: args });
	if (turn <= FILES) {
		const end = turn === 1 ? [] : [mark({ action: "end", description: `part ${turn - 1} is read` })];
		const start = mark({ action: "start", name: `part ${turn}`, type: "expl" });
		const read = { name: "read", arguments: { path: `src/part${turn}.ts` } };
		return { thinking: `Part ${turn}.`, calls: [...end, start, read] };
	}
	if (turn === FILES + 1) return { calls: [{ name: "mcp__cwl__recall", arguments: { query: "part 2" } }] };
	if (turn === FILES + 2) return { calls: [mark({ action: "start", name: "part 1", type: "expl" })] };
	return { text: "Done." };
}

/** Works like an agent with an MCP server: it keeps its whole history and knows nothing of evictions. */
async function converse(url: string, tools: Client): Promise<string> {
	const offered = (await tools.listTools()).tools.map(({ name, description, inputSchema }) => ({
		name: `mcp__cwl__${name}`,
		description,
		input_schema: inputSchema,
	}));
	const input_schema = { type: "object", properties: {} };
	const read = { name: "read", description: "Reads a file.", input_schema };
	const messages: object[] = [{ role: "user", content: "Read all parts." }];
	for (;;) {
		const thinking = { type: "adaptive" };
		const body = JSON.stringify({
			model: "claude-fable-5-2",
			max_tokens: 9_000,
			thinking,
			tools: [read, ...offered],
			messages,
		});
		const content = await send(url, body);
		messages.push({ role: "assistant", content });
		const calls = recordsOf(content).filter(({ type }) => type === "tool_use");
		if (calls.length === 0) return body;
		const results: object[] = [];
		for (const { id, name, input } of calls) {
			const [, own] = /^mcp__cwl__(.*)$/.exec(String(name)) ?? [];
			const { text, isError } = own
				? await call(tools, own, fieldsOf(input))
				: { text: contentOf(Number(/\d+/.exec(JSON.stringify(input))?.[0])), isError: false };
			results.push({
				type: "tool_result",
				tool_use_id: id,
				content: [{ type: "text", text }],
				is_error: isError,
			});
		}
		messages.push({ role: "user", content: results });
	}
}

async function send(url: string, body: string): Promise<unknown> {
	const answer: unknown = await (await fetch(`${url}/test/v1/messages`, { method: "POST", body })).json();
	if (!isRecord(answer) || answer.error) throw new Error(`refused: ${JSON.stringify(answer)}`);
	return answer.content;
}

function resultsOf({ messages }: ModelRequest): readonly string[] {
	return messages.flatMap((message) => (message.type === "result" ? message.text : []));
}

test("behind the proxy, marks become episodes, and a recall brings back what was evicted, byte for byte", async () => {
	const seen: ModelRequest[] = [];
	const provider = await startLoopback({ keepBodies: true, model: (request) => replyTo(seen.push(request)) });
	onTestFinished(provider.close);
	const tools = await startTools(createScratch());
	const store = createScratch();
	const flags = ["--enforce", "--budget", "5000"];
	const { url, child } = await startProgram(provider.url, store, ...flags);
	const last = await converse(url, tools);
	expect(provider.records().filter(({ refused, staleThinking }) => refused || staleThinking > 0)).toEqual([]);

	const [asking, recalled, corrected] = seen.slice(FILES);
	if (!asking || !recalled || !corrected) throw new Error("the model was asked too few times");
	const evicted = JSON.stringify(asking.messages);
	expect(evicted).not.toContain("file 2 has line 7");
	expect(evicted).toMatch(/\[expl \\"part 2\\", evicted [^\]]*recall \\"part 2\\"\] \\"part 2 is read\\"/);
	expect(resultsOf(recalled).at(-1)).toContain(contentOf(2));
	expect(resultsOf(corrected).at(-1)).toContain('"part 16" is still open');

	// Started again, the proxy answers the same calls with the same bytes.
	child.kill("SIGKILL");
	const again = await startProgram(provider.url, store, ...flags);
	await send(again.url, last);
	const [before, after] = provider.records().slice(-2);
	expect(JSON.stringify(after?.body)).toBe(JSON.stringify(before?.body));
	expect(JSON.stringify(after?.body)).toContain("file 2 has line 7");
});
