import { expect, test } from "vitest";
import { readHeard, readsOnce, writeBigFile, writeListener } from "./test-support/listener.ts";
import { startReceiver } from "./test-support/otlp-receiver.ts";
import { readState, textOf } from "./test-support/state.ts";
import { startTrial, until } from "./test-support/trial.ts";

test("tool results over their hard limit force a pass far below the budget, which takes from them down to the soft limit; their alert is told once in a session, resumed or not", async () => {
	const receiver = await startReceiver();
	const componentBudgets = "toolResults=0.2/0.3";
	const settings = { cwl: { budget: "30k", policy: "fifo", componentBudgets } };
	const trial = await startTrial({ model: readsOnce(), settings });
	await writeBigFile(trial);
	const listener = await writeListener(trial, ["cwl:alert", "cwl:pass"]);
	const environment = { OTEL_METRIC_EXPORT_INTERVAL: "50", CWL_OTLP_ENDPOINT: receiver.url };
	const pi = trial.rpc({ args: ["-e", listener], environment });
	const heard = async (name: string) =>
		(await readHeard(pi)).filter((event) => event.name === name).map(({ data }) => data);
	const prompts = Array.from({ length: 16 }, (_, at) => `read part ${at}`);
	for (const prompt of prompts) await pi.prompt(prompt);
	const state = await readState(pi);
	const { passes, health } = state;
	const { budget } = state.pressure;
	expect(state.settings.componentBudgets).toBe("system=0.2/1,tools=0.2/1,toolResults=0.2/0.3");
	const forced = passes.filter(({ decision }) => decision?.reason === "over a hard limit");
	expect(forced.length).toBeGreaterThan(0);
	for (const { before, after, strips } of forced) {
		expect(before).toBeLessThan(0.6 * budget);
		expect(before - after).toBeGreaterThan(0.05 * budget);
		expect(strips.length).toBeGreaterThan(0);
	}
	expect(await heard("cwl:pass")).toHaveLength(passes.length);

	const results = health.components.find(({ component }) => component === "toolResults");
	expect(health.components).toHaveLength(6);
	expect(results).toMatchObject({ burnRate: expect.any(Number) });
	expect(results?.used).toBeLessThanOrEqual(results?.hard ?? 0);
	expect(textOf(await pi.command("/cwl health"))).toMatch(
		/^cwl: health: [\s\S]* {2}toolResults +\d+ % {2}\S+ of at most \S+ \(soft \S+\), \+\S+ a request, \d+ requests? left: (normal|warning|critical)/,
	);

	await until(async () => (await heard("cwl:alert")).some(({ id }) => id === "soft-limit toolResults"));
	const told = (await heard("cwl:alert")).filter(({ id }) => id === "soft-limit toolResults");
	expect(told).toEqual([
		expect.objectContaining({
			grade: "notice",
			text: expect.stringMatching(
				/^tool results: \S+ tokens, over the soft limit of \S+; hard at \S+ in \d+ requests?; most of it is "read .*big\.txt", \S+ tokens$/,
			),
			remedy: expect.stringContaining("ask for parts of outputs"),
		}),
	]);
	expect(pi.notices().filter(({ text }) => text.startsWith("cwl: tool results: "))).toHaveLength(1);
	await until(() =>
		receiver.points("cwl.alerts").some(({ attributes }) => attributes["cwl.alert.kind"] === "soft-limit"),
	);

	const sent = trial.requests.at(-1)?.messages.filter(({ type }) => type === "user") ?? [];
	for (const prompt of prompts) expect(sent.map(({ text }) => text)).toContain(prompt);
	const records = trial.loopback.records();
	expect(records.filter(({ extendsPrevious }) => !extendsPrevious)).toHaveLength(passes.length);

	await pi.kill();
	const resumed = trial.rpc({ args: ["-c"] });
	await resumed.prompt("thank you");
	expect(trial.loopback.records().at(-1)?.extendsPrevious).toBe(true);
	expect((await readState(resumed)).alerts.map(({ id }) => id)).toContain("soft-limit toolResults");
	expect(textOf(resumed.notices())).not.toContain("cwl: tool results: ");
});
