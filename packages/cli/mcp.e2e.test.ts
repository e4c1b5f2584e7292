/** The program `cwl mcp` itself, called by a client of the official SDK. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import type { UnknownRecord } from "#basics";
import { objectsOf } from "#testing";
import { createScratch } from "../workspace/test-support/scratch.ts";
import { program } from "./test-support/proxy-process.ts";

async function startTools(cwd: string): Promise<Client> {
	const client = new Client({ name: "test", version: "1" });
	const transport = new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], cwd });
	await client.connect(transport);
	onTestFinished(() => client.close());
	return client;
}

async function call(client: Client, name: string, args: UnknownRecord) {
	const { content, isError } = await client.callTool({ name, arguments: { ...args } });
	const texts = objectsOf(content).map(({ text: each }) => each);
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
