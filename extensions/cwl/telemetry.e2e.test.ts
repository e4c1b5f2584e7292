import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply } from "#loopback";
import { metrics } from "./telemetry-metrics.ts";
import { cloneProject } from "./test-support/clone.ts";
import { attributesOf, pointsOf, type Receiver, startReceiver } from "./test-support/otlp-receiver.ts";
import { PI, PROJECT, startTrial, type Trial, until } from "./test-support/trial.ts";

const TIMEOUT = 180_000;
/** Stands in everything that must not be sent. */
const SECRET = "xyzzy";
/** Send at once, in ms. */
const quick = { OTEL_METRIC_EXPORT_INTERVAL: "50" };
const names = Object.values(metrics).flatMap((some) => Object.keys(some));

/** Reads a file in an episode, fails at another, asks for a tool that is none, then talks. */
function worker(): () => ModelReply {
	const mark = (args: object) => ({ name: "delimiter", arguments: { ...args } });
	const read = (path: string) => ({ name: "read", arguments: { path } });
	const steps: ModelReply[] = [
		{
			calls: [
				mark({ action: "start", name: `find-${SECRET}`, type: "expl" }),
				read(`${SECRET}.txt`),
				read(`no-${SECRET}.txt`),
				{ name: `call-${SECRET}`, arguments: {} },
			],
		},
		{ calls: [mark({ action: "end", description: `it is ${SECRET}` })] },
	];
	let step = 0;
	return () => steps[step++] ?? { text: `done with ${SECRET}` };
}

const lines = Array.from({ length: 200 }, (_, at) => `${SECRET}_${at} = ${at}`).join("\n");

const inputOf = (receiver: Receiver) =>
	pointsOf(receiver.metrics().get("gen_ai.client.token.usage")).find(
		(point) => attributesOf(point)["gen_ai.token.type"] === "input",
	);

/** A session with work, a pass, a recall and an alert, all received. */
async function watchSession(trial: Trial, receiver: Receiver) {
	await writeFile(join(trial.work, `${SECRET}.txt`), lines);
	const environment = { ...quick, CWL_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: "my-agent" };
	const pi = trial.rpc({ environment });
	for (const prompt of [`find ${SECRET}`, "go on"]) await pi.prompt(prompt);
	for (const command of [
		`/cwl evict find-${SECRET}`,
		`/cwl recall find-${SECRET}`,
		"/cwl settings budget 2k",
	]) {
		await pi.command(command);
	}
	for (const prompt of [`go on with ${`${SECRET} `.repeat(1_000)}`, "and on"]) await pi.prompt(prompt);
	await until(() => names.every((name) => receiver.metrics().has(name)));
	await until(() => inputOf(receiver)?.count === trial.requests.length);
	return pi;
}

test(
	"requests, tools, passes, alerts and recalls arrive, and nothing that was said or read",
	async () => {
		const receiver = await startReceiver();
		const trial = await startTrial({ model: worker() });
		const pi = await watchSession(trial, receiver);

		const sent = receiver.bodies.join("\n");
		expect(sent).not.toContain(SECRET);
		expect(sent).not.toContain(trial.directory);
		expect(pi.notices().filter(({ text }) => text.includes("telemetry"))).toEqual([]);
		expect(receiver.resource()).toMatchObject({ "service.name": "my-agent" });

		const records = trial.loopback.records();
		const points = (name: string) => pointsOf(receiver.metrics().get(name));
		const input = points("gen_ai.client.token.usage").find(
			(point) => attributesOf(point)["gen_ai.token.type"] === "input",
		);
		expect(input).toMatchObject({
			count: records.length,
			sum: records.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
			explicitBounds: Array.from({ length: 14 }, (_, at) => 4 ** at),
		});
		const tools = points("gen_ai.execute_tool.duration").map(attributesOf);
		expect(tools).toContainEqual({ "gen_ai.tool.name": "read" });
		expect(tools).toContainEqual({ "gen_ai.tool.name": "read", "error.type": "_OTHER" });
		expect(points("cwl.passes").map(attributesOf)).toContainEqual({ "cwl.policy": "by hand" });
		expect(points("cwl.context.budget")[0]).toMatchObject({ asDouble: 2_000 });
		const columns = points("cwl.input.tokens").map((point) => attributesOf(point)["cwl.input.column"]);
		expect(columns.toSorted()).toEqual(["added", "cached", "expired", "rewritten"]);
	},
	TIMEOUT,
);

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

test(
	"the end of a session sends what is left, to where the standard variables say",
	async () => {
		const receiver = await startReceiver();
		const trial = await startTrial({ model: () => ({ text: "hi" }) });
		const loaded = await modulesOf(trial, {
			OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/base`,
			OTEL_EXPORTER_OTLP_HEADERS: "x-key=value",
			OTEL_EXPORTER_OTLP_TIMEOUT: String(TIMEOUT),
		});
		expect(loaded.length).toBeGreaterThan(0);
		expect(receiver.requests.map(({ path }) => path)).toEqual(["/base/v1/metrics"]);
		expect(receiver.requests.map(({ headers }) => headers["x-key"])).toEqual(["value"]);
		expect(receiver.resource()).toMatchObject({ "service.name": "cwl" });
		expect(inputOf(receiver)?.count).toBe(1);
	},
	TIMEOUT,
);

test(
	"without an endpoint, or with the SDK disabled, no module of OpenTelemetry is loaded",
	async () => {
		const receiver = await startReceiver();
		const trial = await startTrial({ model: () => ({ text: "hi" }) });
		expect(await modulesOf(trial, {})).toEqual([]);
		const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SDK_DISABLED: "true" };
		expect(await modulesOf(trial, disabled)).toEqual([]);
		expect(receiver.requests).toEqual([]);
	},
	TIMEOUT,
);

test(
	"a repository cannot have anything sent anywhere",
	async () => {
		const receiver = await startReceiver();
		const trial = await startTrial({ model: () => ({ text: "hi" }) });
		await mkdir(join(trial.work, ".pi"));
		const settings = { cwl: { otlpEndpoint: receiver.url } };
		await writeFile(join(trial.work, ".pi", "settings.json"), JSON.stringify(settings));
		const { code, stdout, stderr } = await trial.run(["-p", "hello"], { environment: quick });
		expect({ code, stdout }).toEqual({ code: 0, stdout: "hi\n" });
		expect(stderr).toContain("cwl.otlpEndpoint is not for a project to set");
		expect(receiver.requests).toEqual([]);
	},
	TIMEOUT,
);

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
	TIMEOUT,
);

test(
	"without the packages the session goes on, and the command that installs them is named",
	async () => {
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
		expect(stderr).toMatch(
			/^cwl: telemetry is off, .+@opentelemetry.+npm install --include=optional --prefix ".+clone/,
		);
	},
	TIMEOUT,
);
