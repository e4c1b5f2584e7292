/** The package as npm installs it: built, packed, installed into an empty project, and the examples of its pages run and type-checked there. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unpackInto } from "../cli/test-support/packed.ts";

const core = import.meta.dirname;
const modules = resolve(core, "../../node_modules");
const project = mkdtempSync(join(tmpdir(), "cwl-core-"));
const run = (command: string, args: readonly string[], cwd: string) =>
	execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The first example of the README. */
const example = /```js\n([\s\S]*?)```/.exec(readFileSync(join(core, "README.md"), "utf8"))?.[1] ?? "";

beforeAll(async () => {
	writeFileSync(
		join(project, "package.json"),
		JSON.stringify({ name: "empty", private: true, type: "module" }),
	);
	await unpackInto(project);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Compiles code in the project with the strictest settings of TypeScript, against the declarations. */
function compile(name: string, code: string, ...more: readonly string[]): void {
	writeFileSync(join(project, `${name}.ts`), code);
	const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
	const target = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--types", ""];
	run("node", [join(modules, "typescript/bin/tsc"), ...strict, ...target, ...more, `${name}.ts`], project);
}

test("the example of the README is about 30 lines, and runs", () => {
	expect(example.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(32);
	writeFileSync(join(project, "example.js"), example);
	expect(run("node", ["example.js"], project)).toMatch(/^\d+ tokens in \d+ of 41 messages\ntrue\n$/);
});

test("the example compiles in strict TypeScript against the declarations", () => {
	const code = example
		.replace("{ createSession }", "{ createSession, type TranscriptMessage }")
		.replace("const transcript =", "const transcript: TranscriptMessage[] =");
	symlinkSync(join(modules, "typescript"), join(project, "node_modules/typescript"));
	compile("typed-example", code);
});

/** Compiles an example of docs/library.md, as it is printed, and loads it. */
async function loadExample(name: string, index: number) {
	const page = readFileSync(resolve(core, "../../docs/library.md"), "utf8");
	const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
	compile(name, examples[index] ?? "", "--skipLibCheck");
	return await import(join(project, `${name}.js`));
}

/** A model that reads one file after the other, and then answers. Texts of a file have about 300 tokens. */
const FILES = 30;
const textOf = (file: number) => `line of file ${file}\n`.repeat(60);
/** Tokens. */
const BUDGET = 3_000;
const sizeOf = (request: unknown) => Math.ceil(JSON.stringify(request).length / 4);

test("the loop of docs/library.md keeps its requests below the budget, and continues after a restart", async () => {
	const { runAgent } = await loadExample("loop", 0);
	const requests: {
		readonly role: string;
		readonly callId?: string;
		readonly calls?: readonly { id: string }[];
	}[][] = [];
	const [messages, passes]: unknown[][] = [[], []];
	let read = 0;
	const play = async (prompt: string, files: number) => {
		messages?.push({ role: "user", content: prompt });
		const until = read + files;
		return await runAgent(
			{ messages, passes, budget: BUDGET },
			async (request: (typeof requests)[number]) => {
				requests.push(structuredClone(request));
				if (read === until) return { role: "assistant", content: "Done.", calls: [] };
				read += 1;
				const call = { id: `c${read}`, tool: "read", arguments: { path: `src/${read}.ts` } };
				return { role: "assistant", content: "", calls: [call] };
			},
			async (call: { id: string }) => textOf(Number(call.id.slice(1))),
		);
	};
	expect(await play("Read all files.", FILES)).toBe("Done.");
	expect(await play("Read one more.", 1)).toBe("Done.");
	expect(passes?.length).toBeGreaterThan(0);
	for (const request of requests) {
		expect(sizeOf(request)).toBeLessThan(BUDGET * 1.3);
		expect(request[0]).toMatchObject({ role: "user", content: expect.stringMatching(/^Read all files\./) });
		const calls = request.flatMap(({ calls: made = [] }) => made.map(({ id }) => id));
		expect(request.flatMap(({ callId }) => callId ?? [])).toEqual(calls);
	}
	// The second prompt begins another session of the engine, whose first request continues the last one of the first.
	const [before = [], after = []] = requests.slice(FILES);
	expect(after.slice(0, before.length)).toEqual(before);
});

test("prepareStep of docs/library.md keeps the requests of the AI SDK below the budget", async () => {
	symlinkSync(join(modules, "ai"), join(project, "node_modules/ai"));
	const { createPrepareStep } = await loadExample("prepare-step", 1);
	const usage = {
		inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
		outputTokens: { total: 1, text: 1, reasoning: 0 },
	};
	const model = new MockLanguageModelV3({
		doGenerate: async () => {
			const file = model.doGenerateCalls.length;
			const call = {
				type: "tool-call" as const,
				toolCallId: `c${file}`,
				toolName: "read",
				input: JSON.stringify({ path: `src/${file}.ts` }),
			};
			const isLast = file > FILES;
			return {
				content: isLast
					? [{ type: "text" as const, text: "Done." }]
					: [{ type: "reasoning" as const, text: "I read on." }, call],
				finishReason: { unified: isLast ? ("stop" as const) : ("tool-calls" as const), raw: undefined },
				...{ usage, warnings: [] },
			};
		},
	});
	const read = tool({
		inputSchema: jsonSchema<object>({ type: "object" }),
		execute: async (_input, { toolCallId }) => textOf(Number(toolCallId.slice(1))),
	});
	const passes: unknown[] = [];
	const prepareStep = createPrepareStep(BUDGET, passes);
	const { text } = await generateText({
		...{ model, prepareStep, tools: { read } },
		prompt: "Read all files.",
		stopWhen: stepCountIs(99),
	});
	expect(text).toBe("Done.");
	expect(passes.length).toBeGreaterThan(0);
	for (const { prompt } of model.doGenerateCalls) {
		expect(sizeOf(prompt)).toBeLessThan(BUDGET * 1.7);
		const idsOf = (type: string) =>
			prompt.flatMap(({ content }) =>
				typeof content === "string"
					? []
					: content.flatMap((part) => (part.type === type && "toolCallId" in part ? part.toolCallId : [])),
			);
		expect(idsOf("tool-result")).toEqual(idsOf("tool-call"));
	}
});
