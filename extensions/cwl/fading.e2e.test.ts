import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import { joinRecalled } from "../../packages/pi/test-support/recalls.ts";
import { ask, readerModel } from "./test-support/reader-model.ts";
import { readState, textOf } from "./test-support/state.ts";
import { keepsSystemMessages, startTrial } from "./test-support/trial.ts";

const FILES = 9;
const fileOf = (index: number) =>
	Array.from({ length: 200 }, (_, line) =>
		line % 20 === 0 ? `section ${line} of file ${index}` : `	entry ${line} of file ${index}`,
	).join("\n");

async function startReading(environment: NodeJS.ProcessEnv, models: readonly string[] = []) {
	const trial = await startTrial({ api: "anthropic", addsThinking: true, model: readerModel, models });
	for (let index = 0; index < FILES; index += 1)
		await writeFile(join(trial.work, `f${index}.txt`), fileOf(index));
	const args = models.flatMap((model) => ["--model", `${LOOPBACK_PROVIDER}/${model}`]);
	const pi = trial.rpc({ args, environment });
	for (let index = 0; index < FILES; index += 1) await pi.prompt(`look f${index}.txt`);
	return { trial, pi };
}

const fading = { CWL_BUDGET: "14k", CWL_FADING: "on", CWL_LOW_WATER: "0.6" };

const FADED = /\[reduced: \d+ lines left out here; recall \\"([^"\\]+)\\" gives all\]/;

test("outputs fade at a pass, recall gives the exact text, a resume sends the same bytes, undo brings them back", async () => {
	const { trial, pi } = await startReading(fading);
	const { passes, health } = await readState(pi);
	expect(passes.flatMap(({ reductions }) => reductions).length).toBeGreaterThan(0);
	expect(health.toolResults.reduced?.outputs).toBeGreaterThan(0);
	expect(textOf(pi.notices())).toMatch(/\d+ outputs? reduced/);
	expect(await pi.answer("/cwl health")).toMatch(/outputs? (?:is|are) reduced, .* smaller than whole/);
	const body = trial.bodies().at(-1) ?? "";
	const handle = FADED.exec(body)?.[1] ?? "";
	const recalled = await ask(trial, pi, `recall ${handle}`);
	const [file] = /file \d+/.exec(joinRecalled([recalled]).join()) ?? [];
	expect(joinRecalled([recalled]).join("\n")).toContain(fileOf(Number(file?.slice(5))));
	await pi.kill();

	const resumed = trial.resume({ environment: fading });
	await resumed.prompt("go on");
	const { ledger, passes: known } = await readState(resumed);
	expect(trial.loopback.records().at(-1)?.extendsPrevious).toBe(known.length === passes.length);
	const before = ledger.total;
	expect(await resumed.answer("/cwl undo")).toMatch(/pass \d+ is taken back: /);
	expect((await readState(resumed)).ledger.total).toBeGreaterThan(before);
	expect((await readState(resumed)).passes.length).toBeLessThanOrEqual(known.length);
	await resumed.prompt("go on");
});

test.runIf(keepsSystemMessages)(
	"a model that binds its thinking to the prefix is sent none that fading made invalid",
	async () => {
		const { trial, pi } = await startReading(fading, ["claude-opus-5-5"]);
		expect((await readState(pi)).passes.flatMap(({ reductions }) => reductions).length).toBeGreaterThan(0);
		expect(trial.loopback.records().filter(({ staleThinking }) => staleThinking > 0)).toEqual([]);
	},
);

test("a zone set to fade makes a pass that only fades, below the budget", async () => {
	const environment = { CWL_BUDGET: "20k", CWL_LOW_WATER: "0.4", CWL_ZONES: "orange=fade" };
	const { pi } = await startReading(environment);
	const { passes, pressure } = await readState(pi);
	const [first] = passes.filter(({ reductions }) => reductions.length > 0);
	expect(first?.before).toBeLessThanOrEqual(pressure.budget);
	expect(first?.strips.every(({ level }) => level === 1)).toBe(true);
});
