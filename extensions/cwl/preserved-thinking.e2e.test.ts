import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PREFIX_CHANGED } from "#core/planning";
import { LOOPBACK_PROVIDER } from "#loopback/pi-driver";
import { readFileOfTurn, turn, writeFilesOfTurns } from "./test-support/file-reader.ts";
import { readState, textOf } from "./test-support/state.ts";
import { keepsSystemMessages, PROJECT, startTrial, type Trial } from "./test-support/trial.ts";

const MODEL = ["--model", `${LOOPBACK_PROVIDER}/claude-opus-5-5`];
const COEXISTENCE = join(PROJECT, "extensions", "cwl", "test-support", "coexistence");
const REWORDING = join(COEXISTENCE, "rewording.ts");
const REWORDING_PAYLOAD = join(COEXISTENCE, "rewording-payload.ts");
const TURNS = 10;

async function startThinkingTrial(isRefused = false): Promise<Trial> {
	// Of a compaction something is left whose thinking was bound to what it summarized.
	const settings = { compaction: { keepRecentTokens: 2_000 } };
	const trial = await startTrial({ model: readFileOfTurn, models: ["claude-opus-5-5"], settings, isRefused });
	await writeFilesOfTurns(trial.work, TURNS);
	return trial;
}

/** As for Claude behind a gateway: pi then does not ask the provider to drop invalid thinking instead of refusing it. */
async function holdBackDropBlock({ agent }: Trial): Promise<void> {
	const file = join(agent, "models.json");
	const text = await readFile(file, "utf8");
	await writeFile(file, text.replaceAll('"supportsMidConvoEffort": true', '"supportsMidConvoEffort": false'));
}

test.runIf(keepsSystemMessages)(
	"a provider that refuses invalid thinking refuses nothing over several passes",
	async () => {
		const trial = await startThinkingTrial();
		await holdBackDropBlock(trial);
		const pi = trial.rpc({ args: MODEL, environment: { CWL_BUDGET: "10k" } });
		for (let index = 0; index < TURNS; index += 1) await pi.prompt(turn(index));
		const state = await readState(pi);
		expect(faults(trial)).toEqual([]);
		expect(state.passes.length).toBeGreaterThan(1);
		expect(state.droppedThinking).toEqual({ requests: 0, afterPass: 0, lastBlocks: 0 });
	},
);

/** Requests that sent invalid thinking. */
function faults({ loopback }: Trial) {
	return loopback.records().filter(({ staleThinking }) => staleThinking > 0);
}

test.runIf(keepsSystemMessages)(
	"what a user undoes and switches on the way makes no thinking invalid",
	async () => {
		const trial = await startThinkingTrial();
		await holdBackDropBlock(trial);
		const pi = trial.rpc({ args: MODEL, environment: { CWL_BUDGET: "10k" } });
		const commands = [
			"/cwl undo",
			"/cwl off",
			"/cwl on",
			"/cwl settings budget 60k",
			"/cwl undo",
			"/cwl evict",
			"/cwl off",
		];
		for (const [index, command] of commands.entries()) {
			await pi.prompt(turn(index));
			await pi.command(command);
		}
		await pi.prompt(turn(commands.length));
		await pi.kill();
		const resumed = trial.rpc({ args: ["-c", ...MODEL], environment: { CWL_BUDGET: "10k" } });
		await resumed.prompt(turn(8));
		await resumed.command("/cwl on");
		await resumed.prompt(turn(9));
		expect(faults(trial)).toEqual([]);
		expect((await readState(resumed)).passes.some(({ policy }) => policy === PREFIX_CHANGED)).toBe(true);
	},
);

test.runIf(keepsSystemMessages)(
	"a compaction of pi makes no thinking invalid, nor does the resume after it",
	async () => {
		const trial = await startThinkingTrial();
		await holdBackDropBlock(trial);
		const pi = trial.rpc({ args: MODEL });
		for (let index = 0; index < 3; index += 1) await pi.prompt(turn(index));
		await pi.send({ type: "compact" });
		await pi.prompt(turn(3));
		await pi.kill();
		const resumed = trial.rpc({ args: ["-c", ...MODEL] });
		await resumed.prompt(turn(4));
		expect(faults(trial)).toEqual([]);
	},
);

test.runIf(keepsSystemMessages)(
	"another extension that begins to change old messages makes no thinking invalid",
	async () => {
		const trial = await startThinkingTrial();
		await holdBackDropBlock(trial);
		const pi = trial.rpc({ args: MODEL });
		for (let index = 0; index < 2; index += 1) await pi.prompt(turn(index));
		await pi.kill();
		const changed = trial.rpc({ args: ["-c", "-e", REWORDING, ...MODEL] });
		for (let index = 2; index < 4; index += 1) await changed.prompt(turn(index));
		expect(faults(trial)).toEqual([]);
	},
);

test.runIf(keepsSystemMessages)(
	"thinking that the provider drops because another extension changes old messages is counted and told once",
	async () => {
		const trial = await startThinkingTrial();
		const pi = trial.rpc({ args: MODEL });
		for (let index = 0; index < 2; index += 1) await pi.prompt(turn(index));
		expect((await readState(pi)).droppedThinking.requests).toBe(0);
		await pi.kill();

		const changed = trial.rpc({ args: ["-c", "-e", REWORDING_PAYLOAD, ...MODEL] });
		await changed.prompt(turn(2));
		await changed.prompt(turn(3));
		const { droppedThinking, alerts } = await readState(changed);
		expect(droppedThinking.requests).toBeGreaterThan(0);
		expect(droppedThinking.afterPass).toBe(0);
		expect(changed.status()).toContain(`thinking dropped ×${droppedThinking.requests}`);
		expect(alerts).toContainEqual(expect.objectContaining({ id: "thinking-dropped", grade: "notice" }));
		const told = changed.notices().filter(({ text }) => text.startsWith("cwl: the provider dropped"));
		expect(told).toHaveLength(1);
		expect(textOf(await changed.command("/cwl health"))).toContain("no pass was the reason");
	},
);

test.runIf(keepsSystemMessages)(
	"thinking that the provider refuses because another extension changes old messages is explained in one line",
	async () => {
		const trial = await startThinkingTrial(true);
		await holdBackDropBlock(trial);
		const pi = trial.rpc({ args: MODEL });
		await pi.prompt(turn(0));
		await pi.kill();
		const changed = trial.rpc({ args: ["-c", "-e", REWORDING_PAYLOAD, ...MODEL] });
		await changed.prompt(turn(1));
		expect(trial.loopback.records().at(-1)?.refused?.message).toContain("bound to a different conversation");
		const errors = changed.notices().filter(({ kind }) => kind === "error");
		expect(errors).toMatchObject([
			{ text: expect.stringContaining("the history in front of it has changed") },
		]);
		expect(errors[0]?.text).toContain('"supportsMidConvoEffort": true');
	},
);
