import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOOPBACK_PROVIDER } from "#loopback";
import { readFileOfTurn, turn, writeFilesOfTurns } from "./test-support/file-reader.ts";
import { readState, textOf } from "./test-support/state.ts";
import { keepsSystemMessages, PROJECT, startTrial, type Trial } from "./test-support/trial.ts";

const MODEL = ["--model", `${LOOPBACK_PROVIDER}/claude-opus-5-5`];
const REWORDING = join(PROJECT, "extensions", "cwl", "test-support", "coexistence", "rewording.ts");
const TURNS = 10;

async function startThinkingTrial(): Promise<Trial> {
	const trial = await startTrial({ model: readFileOfTurn, models: ["claude-opus-5-5"] });
	await writeFilesOfTurns(trial.work, TURNS);
	return trial;
}

/** As for Claude behind a gateway: pi then does not ask the provider to drop invalid thinking instead of refusing it. */
async function holdBackDropBlock({ agent }: Trial): Promise<void> {
	const file = join(agent, "models.json");
	const text = await readFile(file, "utf8");
	await writeFile(file, text.replaceAll('"supportsMidConvoEffort": true', '"supportsMidConvoEffort": false'));
}

/** Fails until passes take the thinking that they make invalid (design rule 19); then `fails` goes away. */
test
	.runIf(keepsSystemMessages)
	.fails("a provider that refuses invalid thinking refuses nothing over several passes", async () => {
		const trial = await startThinkingTrial();
		await holdBackDropBlock(trial);
		const pi = trial.rpc({ args: MODEL, environment: { CWL_BUDGET: "10k" } });
		for (let index = 0; index < TURNS; index += 1) await pi.prompt(turn(index));
		const state = await readState(pi);
		const records = trial.loopback.records();
		expect(records.filter(({ refused }) => refused)).toEqual([]);
		expect(records.filter(({ staleThinking }) => staleThinking > 0)).toEqual([]);
		expect(state.passes.length).toBeGreaterThan(1);
		expect(state.droppedThinking).toEqual({ requests: 0, afterPass: 0, lastBlocks: 0 });
	});

test.runIf(keepsSystemMessages)(
	"thinking that the provider drops because another extension changes old messages is counted and told once",
	async () => {
		const trial = await startThinkingTrial();
		const pi = trial.rpc({ args: MODEL });
		for (let index = 0; index < 2; index += 1) await pi.prompt(turn(index));
		expect((await readState(pi)).droppedThinking.requests).toBe(0);
		await pi.kill();

		const changed = trial.rpc({ args: ["-c", "-e", REWORDING, ...MODEL] });
		await changed.prompt(turn(2));
		await changed.prompt(turn(3));
		const { droppedThinking, alerts } = await readState(changed);
		expect(droppedThinking.requests).toBeGreaterThan(0);
		expect(droppedThinking.afterPass).toBe(0);
		expect(changed.status()).toContain(`thinking dropped ×${droppedThinking.requests}`);
		expect(alerts).toMatchObject([{ id: "thinking-dropped", grade: "notice" }]);
		const told = changed.notices().filter(({ text }) => text.startsWith("cwl: the provider dropped"));
		expect(told).toHaveLength(1);
		expect(textOf(await changed.command("/cwl health"))).toContain("no pass was the reason");
	},
);

test.runIf(keepsSystemMessages)(
	"thinking that the provider refuses because another extension changes old messages is explained in one line",
	async () => {
		const trial = await startThinkingTrial();
		await holdBackDropBlock(trial);
		const pi = trial.rpc({ args: MODEL });
		await pi.prompt(turn(0));
		await pi.kill();
		const changed = trial.rpc({ args: ["-c", "-e", REWORDING, ...MODEL] });
		await changed.prompt(turn(1));
		expect(trial.loopback.records().at(-1)?.refused?.message).toContain("bound to a different conversation");
		const errors = changed.notices().filter(({ kind }) => kind === "error");
		expect(errors).toMatchObject([
			{ text: expect.stringContaining("the history in front of it has changed") },
		]);
		expect(errors[0]?.text).toContain('"supportsMidConvoEffort": true');
	},
);
