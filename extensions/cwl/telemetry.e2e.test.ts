import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metrics } from "./telemetry-metrics.ts";
import { cloneProject } from "./test-support/clone.ts";
import { call, end, following, read, start } from "./test-support/following.ts";
import { type Receiver, startReceiver } from "./test-support/otlp-receiver.ts";
import { PI, PROJECT, startTrial, type Trial, until } from "./test-support/trial.ts";

/** Stands in everything that must not be sent. */
const SECRET = "xyzzy";
/** Send at once, in ms. */
const quick = { OTEL_METRIC_EXPORT_INTERVAL: "50" };
const names = Object.values(metrics).flatMap((some) => Object.keys(some));

/** Asked to find something, it reads a file in an episode, fails at another, and asks for a tool that is none; else it chats. */
const worker = following((prompt) =>
	prompt === `find ${SECRET}`
		? [
				{
					calls: [
						...[start(`find-${SECRET}`, "expl"), read(`${SECRET}.txt`)],
						...[read(`no-${SECRET}.txt`), call(`call-${SECRET}`)],
					],
				},
				{ calls: [end(`it is ${SECRET}`)] },
				{ text: `done with ${SECRET}` },
			]
		: undefined,
);

const lines = Array.from({ length: 200 }, (_, at) => `${SECRET}_${at} = ${at}`).join("\n");

/** The input tokens of all requests. */
const inputOf = (receiver: Receiver) =>
	receiver.points("cwl.input.tokens").reduce((sum, { asDouble }) => sum + Number(asDouble), 0);

test("requests, passes, alerts and recalls arrive, and nothing that was said or read", async () => {
	const receiver = await startReceiver();
	const trial = await startTrial({ model: worker });
	await writeFile(join(trial.work, `${SECRET}.txt`), lines);
	const environment = { ...quick, CWL_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: "my-agent" };
	const pi = trial.rpc({ environment });
	for (const prompt of [`find ${SECRET}`, "go on"]) await pi.prompt(prompt);
	for (const command of [`evict find-${SECRET}`, `recall find-${SECRET}`, "settings budget 2k"])
		await pi.command(`/cwl ${command}`);
	for (const prompt of [`go on with ${`${SECRET} `.repeat(1_000)}`, "and on"]) await pi.prompt(prompt);
	await until(() => names.every((name) => receiver.points(name).length > 0));
	const prompts = trial.loopback.records().map(({ promptTokens }) => promptTokens);
	await until(() => inputOf(receiver) === prompts.reduce((sum, tokens) => sum + tokens, 0));

	const sent = receiver.bodies.join("\n");
	expect(sent).not.toContain(SECRET);
	expect(sent).not.toContain(trial.directory);
	expect(pi.notices().filter(({ text }) => text.includes("telemetry"))).toEqual([]);
	expect(receiver.resource()).toMatchObject({ "service.name": "my-agent" });

	expect(receiver.points("cwl.passes")).toContainEqual(
		expect.objectContaining({ attributes: { "cwl.policy": "by hand" } }),
	);
	expect(receiver.points("cwl.context.budget")[0]).toMatchObject({ asDouble: 2_000 });
	const columns = receiver.points("cwl.input.tokens").map(({ attributes }) => attributes["cwl.input.column"]);
	expect(columns.toSorted()).toEqual(["added", "cached", "expired", "rewritten"]);
});

/** The modules of OpenTelemetry that a whole run had loaded at its end. */
async function modulesOf(trial: Trial, environment: Readonly<Record<string, string>>) {
	const file = join(trial.directory, "modules");
	const preload = join(PROJECT, "extensions", "cwl", "test-support", "modules.cjs");
	const outcome = await trial.run(["-p", "hello"], {
		environment: { NODE_OPTIONS: `--require ${preload}`, CWL_MODULES_FILE: file, ...environment },
	});
	expect(outcome).toEqual({ code: 0, stdout: "hi\n", stderr: "" });
	return (await readFile(file, "utf8")).split("\n").filter((path) => path !== "");
}

test("the end of a session sends what is left, to where the standard variables say", async () => {
	const receiver = await startReceiver();
	const trial = await startTrial({ model: () => ({ text: "hi" }) });
	const loaded = await modulesOf(trial, {
		OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/base`,
		OTEL_EXPORTER_OTLP_HEADERS: "x-key=value",
		OTEL_EXPORTER_OTLP_TIMEOUT: "180000",
	});
	expect(loaded.length).toBeGreaterThan(0);
	expect(receiver.requests.map(({ path }) => path)).toEqual(["/base/v1/metrics"]);
	expect(receiver.requests.map(({ headers }) => headers["x-key"])).toEqual(["value"]);
	expect(receiver.resource()).toMatchObject({ "service.name": "cwl" });
	expect(receiver.points("cwl.context.tokens")).toHaveLength(1);
});

test("without an endpoint, or with the SDK disabled, no module of OpenTelemetry is loaded", async () => {
	const receiver = await startReceiver();
	const trial = await startTrial({ model: () => ({ text: "hi" }) });
	expect(await modulesOf(trial, {})).toEqual([]);
	const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SDK_DISABLED: "true" };
	expect(await modulesOf(trial, disabled)).toEqual([]);
	expect(receiver.requests).toEqual([]);
});

test.each(["refuses", "hangs", "is down"] as const)(
	"an endpoint that %s costs the session nothing but one word",
	async (manner) => {
		const endpoint = manner === "is down" ? "http://127.0.0.1:1" : (await startReceiver(manner)).url;
		const trial = await startTrial({ model: () => ({ text: "hi" }) });
		const environment = { ...quick, CWL_OTLP_ENDPOINT: endpoint };
		const pi = trial.rpc({ environment });
		const told = () => pi.notices().filter(({ text }) => text.includes("telemetry"));
		await pi.prompt("hello");
		await until(() => told().length > 0);
		await pi.prompt("hello again");
		expect(told()).toEqual([
			{ kind: "info", text: expect.stringContaining(`telemetry does not reach ${endpoint}`) },
		]);
		expect(pi.notices().filter(({ kind }) => kind !== "info")).toEqual([]);
		expect(trial.requests).toHaveLength(2);

		const { code, stdout, stderr } = await trial.run(["-p", "bye"], { environment });
		expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
		expect(stderr.trim().split("\n")).toEqual([expect.stringContaining("telemetry does not reach")]);
	},
);

test("without the packages the session goes on, and the command that installs them is named", async () => {
	const trial = await startTrial({ model: () => ({ text: "hi" }) });
	const clone = join(trial.directory, "clone");
	await cloneProject(clone);
	await mkdir(join(clone, "node_modules"));
	for (const name of await readdir(join(PROJECT, "node_modules"))) {
		if (name === "@opentelemetry") continue;
		await symlink(join(PROJECT, "node_modules", name), join(clone, "node_modules", name));
	}
	const { code, stdout, stderr } = await trial.run(
		["-p", "hello", "-e", join(clone, "extensions", "cwl", "index.ts")],
		{ program: PI, environment: { CWL_OTLP_ENDPOINT: "http://127.0.0.1:1" } },
	);
	expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
	expect(stderr).toMatch(/^cwl: telemetry is off, .+@opentelemetry.+npm install --prefix ".+clone/);
});
