/** The section Telemetry of docs/health.md names what is sent, and its examples are taken. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadSettings, metrics } from "#pi";
import { PROJECT } from "./test-support/trial.ts";

const health = await readFile(join(PROJECT, "docs", "health.md"), "utf8");
const page = health.slice(health.indexOf("\n## Telemetry\n"));

const blocks = (language: string) =>
	[...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, found, block = ""]) =>
		found === language ? [block] : [],
	);

describe("the section Telemetry", () => {
	test("names every metric with its kind and unit, and no other", () => {
		const rows = [...page.matchAll(/^\| `([a-z_.]+)` \| (histogram|gauge|counter) \| `([^`]+)` \|/gm)];
		const named = rows.map(([, name, kind, unit]) => ({ name, kind, unit }));
		expect(named).toEqual(Object.entries(metrics).map(([name, { kind, unit }]) => ({ name, kind, unit })));
	});

	test("its examples set the endpoint without a complaint", async () => {
		const agent = await mkdtemp(join(tmpdir(), "cwl-telemetry-docs-"));
		onTestFinished(() => rm(agent, { recursive: true, force: true }));
		const [settings = ""] = blocks("json");
		const environments = blocks("environment").map((block) =>
			Object.fromEntries(
				block
					.trim()
					.split("\n")
					.map((line) => line.split(/=(.*)/).slice(0, 2)),
			),
		);
		const endpointOf = (environment: Readonly<Record<string, string>>) => {
			const sources = { cwd: agent, environment: { ...environment, PI_CODING_AGENT_DIR: agent }, flags: {} };
			const loaded = loadSettings(sources);
			expect(loaded.problems).toEqual([]);
			return loaded.settings.otlpEndpoint;
		};
		expect(environments).toHaveLength(2);
		for (const environment of environments) expect(endpointOf(environment)).toMatch(/^https?:/);
		expect(endpointOf({ ...environments[1], CWL_OTLP_ENDPOINT: "none" })).toBe("");
		await writeFile(join(agent, "settings.json"), settings);
		expect(endpointOf({})).toBe(JSON.parse(settings).cwl.otlpEndpoint);
	});
});
