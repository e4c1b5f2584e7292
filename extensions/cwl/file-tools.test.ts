import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "../../packages/loopback/model.ts";
import { startTrial } from "./test-support/trial.ts";

const calls = [
	{ name: "read", arguments: { path: "pipe" } },
	{ name: "read", arguments: { path: "/dev/zero" } },
	{ name: "edit", arguments: { path: "pipe", edits: [{ oldText: "a", newText: "b" }] } },
	{ name: "write", arguments: { path: "pipe", content: "x" } },
	{ name: "grep", arguments: { pattern: "x", path: "pipe" } },
	{ name: "glob", arguments: { pattern: "*", path: "pipe" } },
];

function model({ messages }: ModelRequest): ModelReply {
	return messages.some(({ type }) => type === "result") ? { text: "ok" } : { calls };
}

test("a pipe or a device is refused by every tool, and holds up none of them", async () => {
	const trial = await startTrial({ model, api: "anthropic" });
	execFileSync("mkfifo", [join(trial.work, "pipe")]);
	const pi = trial.rpc();
	await pi.prompt("go on");
	const results = (trial.requests.at(-1)?.messages ?? []).flatMap((message) =>
		message.type === "result" ? [message] : [],
	);
	expect(results.map(({ isError }) => isError)).toEqual(calls.map(() => true));
	for (const { text } of results) expect(text).toContain("is a pipe, socket or device");
}, 30_000);

test("tools that are first called together all answer", async () => {
	const first = [
		{ name: "glob", arguments: { pattern: "*" } },
		{ name: "grep", arguments: { pattern: "x" } },
		{ name: "bash", arguments: { command: "echo x > a.txt" } },
		{ name: "read", arguments: { path: "b.txt" } },
		{ name: "recall", arguments: { query: "nothing" } },
	];
	const trial = await startTrial({
		model: ({ messages }) =>
			messages.some(({ type }) => type === "result") ? { text: "ok" } : { calls: first },
		api: "anthropic",
	});
	await writeFile(join(trial.work, "b.txt"), "x\n");
	const pi = trial.rpc();
	await pi.prompt("go on");
	const results = (trial.requests.at(-1)?.messages ?? []).flatMap((message) =>
		message.type === "result" ? [message] : [],
	);
	expect(results.map(({ text, isError }) => isError && text)).toEqual(first.map(() => false));
}, 30_000);
