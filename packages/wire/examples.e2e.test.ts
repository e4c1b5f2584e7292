/**
 * The examples of docs/examples with the real SDKs and the packed package, as a user runs them, against a strict server; and the
 * same program without the wrapper behind the proxy, which sends the same bytes.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startManagedProxy } from "#proxy";
import { type RequestRecord, startLoopback } from "#testing/server";
import { loadHost } from "#wire";
import { unpackInto } from "../cli/test-support/packed.ts";
import { scratchFolder } from "../workspace/test-support/scratch.ts";

const root = resolve(import.meta.dirname, "../..");
const project = scratchFolder();
const FILES = 40;
/** Tokens. */
const BUDGET = 4_000;

beforeAll(async () => {
	writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
	await unpackInto(project);
	mkdirSync(join(project, "node_modules/@ai-sdk"), { recursive: true });
	mkdirSync(join(project, "node_modules/@anthropic-ai"), { recursive: true });
	const linked = [
		"@anthropic-ai/sdk",
		"openai",
		"ai",
		"@ai-sdk/anthropic",
		"@ai-sdk/openai",
		"eventsource-parser",
	];
	for (const name of linked)
		symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
	for (let n = 1; n <= FILES; n += 1)
		writeFileSync(join(project, `${n}.txt`), `line of file ${n}\n`.repeat(60));
});

/** A model that thinks and reads one file after the other. It counts its own answers by the files named last. */
function startReader() {
	let read = 0;
	return startLoopback({
		keepBodies: true,
		model: () => {
			read += 1;
			if (read > FILES) return { text: "Forty files." };
			return {
				thinking: `File ${read} is next.`,
				calls: [{ name: "read", arguments: { path: `${read}.txt` } }],
			};
		},
	});
}

/** Programs that run an example, with their arguments; CWL_RUNTIMES names others than this Node (see `.ci/runtimes`). */
type Runtime = readonly [program: string, ...args: readonly string[]];
const node: Runtime = [process.execPath];
const others: readonly Runtime[] = JSON.parse(process.env.CWL_RUNTIMES ?? "[]");

async function run(name: string, url: string, isWrapped: boolean, [program, ...args]: Runtime) {
	const source = readFileSync(join(root, "docs/examples", `${name}.mjs`), "utf8");
	const code = isWrapped
		? source.replace('budget: "auto"', `budget: ${BUDGET}, date: "2026-11-28"`)
		: source.replace(/withLifecycle\(\{.*?\}\)/, "fetch");
	const file = join(project, `${name}-${isWrapped}.mjs`);
	writeFileSync(file, code);
	const isAiSdk = name.startsWith("ai-sdk");
	const env = {
		...{
			PATH: process.env.PATH,
			ANTHROPIC_API_KEY: "key",
			OPENAI_API_KEY: "key",
			OPENAI_BASE_URL: `${url}/v1`,
		},
		ANTHROPIC_BASE_URL: isAiSdk ? `${url}/v1` : url,
	};
	const { stdout } = await promisify(execFile)(program, [...args, file], { cwd: project, env });
	return stdout.trim();
}

/** The bodies that a provider gets from an example, and their records. */
async function bodiesOf(name: string, isWrapped: boolean, runtime = node) {
	const provider = await startReader();
	onTestFinished(provider.close);
	let { url } = provider;
	if (!isWrapped) {
		const { proxy } = await startManagedProxy({
			...{ ...(await loadHost()), mode: "enforce", port: 0, budget: BUDGET, today: () => "2026-11-28" },
			upstreams: new Map([["p", new URL(provider.url)]]),
			warn: expect.fail,
		});
		onTestFinished(proxy.close);
		url = `${proxy.url}/p`;
	}
	expect(await run(name, url, isWrapped, runtime)).toBe("Forty files.");
	return provider.records();
}

const examples = ["anthropic", "openai", "openai-chat", "ai-sdk-anthropic", "ai-sdk-openai"];

test.each(examples)("the example %s has about 20 lines", (name) => {
	const lines = readFileSync(join(root, "docs/examples", `${name}.mjs`), "utf8").split("\n");
	expect(lines.filter((line) => line !== "").length).toBeLessThanOrEqual(21);
});

test.each(examples)(
	"%s stays below the budget, is never refused, and sends what the proxy sends",
	async (name) => {
		const wrapped = await bodiesOf(name, true);
		expect(wrapped.length).toBe(FILES + 1);
		expect(wrapped.filter(({ refused }) => refused)).toEqual([]);
		expect(wrapped.reduce((sum, { staleThinking }) => sum + staleThinking, 0)).toBe(0);
		expect(Math.max(...wrapped.map(({ promptTokens }) => promptTokens))).toBeLessThanOrEqual(BUDGET);
		expect(wrapped.filter(({ extendsPrevious }) => !extendsPrevious).length).toBeGreaterThan(2);
		const proxied = await bodiesOf(name, false);
		expect(textsOf(wrapped)).toEqual(textsOf(proxied));
	},
);

const textsOf = (records: readonly RequestRecord[]) => records.map(({ body }) => JSON.stringify(body));

test
	.skipIf(others.length === 0)
	.each(others.flatMap((runtime) => examples.map((name) => ({ runtime, name }))))(
	"$name on $runtime sends what it sends on this Node",
	async ({ runtime, name }) => {
		expect(textsOf(await bodiesOf(name, true, runtime))).toEqual(textsOf(await bodiesOf(name, true)));
	},
);
