import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UNDO_ENTRY } from "#pi/session";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import { readFileOfTurn, turn, writeFilesOfTurns } from "./test-support/file-reader.ts";
import type { RpcSession } from "./test-support/rpc-session.ts";
import { readData } from "./test-support/session-entries.ts";
import { readState } from "./test-support/state.ts";
import { keepsSystemMessages, PROJECT, startTrial, type Trial } from "./test-support/trial.ts";

const MODEL = ["--model", `${LOOPBACK_PROVIDER}/claude-opus-5-5`];
const other = (name: string) =>
	["-e", join(PROJECT, "extensions", "cwl", "test-support", "coexistence", `${name}.ts`)] as const;
const environment = { CWL_BUDGET: "10k" };
const TURNS = 10;

/**
 * Unless it `asksToDrop`, pi does not ask the provider to drop invalid thinking instead of refusing it, as for Claude behind a gateway.
 * `lacks` is one more setting that pi's models.json does not have there.
 */
async function startThinking({ isRefused = false, asksToDrop = false, lacks = "" } = {}) {
	// Of a compaction something is left whose thinking was bound to what it summarized.
	const settings = { compaction: { keepRecentTokens: 2_000 } };
	const trial = await startTrial({
		model: readFileOfTurn,
		models: ["claude-opus-5-5", "claude-opus-4-5"],
		settings,
		isRefused,
	});
	await writeFilesOfTurns(trial.work, TURNS);
	const file = join(trial.agent, "models.json");
	const text = await readFile(file, "utf8");
	const missing = [lacks, ...(asksToDrop ? [] : ["supportsMidConvoEffort"])];
	await writeFile(
		file,
		missing.reduce((models, name) => models.replaceAll(`"${name}": true`, `"${name}": false`), text),
	);
	return trial;
}

async function takeTurns(pi: RpcSession, from: number, to: number) {
	for (let index = from; index < to; index += 1) await pi.prompt(turn(index));
}

/** Requests that sent invalid thinking. */
function faults({ loopback }: Trial) {
	return loopback.records().filter(({ staleThinking }) => staleThinking > 0);
}

describe.runIf(keepsSystemMessages)("a provider that refuses invalid thinking", () => {
	test("refuses nothing of what a user undoes and switches on the way, nor after a resume", async () => {
		const trial = await startThinking();
		const pi = trial.rpc({ args: MODEL, environment });
		const commands = ["undo", "off", "on", "settings budget 60k", "undo", "evict", "off"];
		for (const [index, command] of commands.entries()) {
			await pi.prompt(turn(index));
			await pi.command(`/cwl ${command}`);
		}
		await pi.prompt(turn(commands.length));
		await pi.kill();
		const resumed = trial.rpc({ args: ["-c", ...MODEL], environment });
		await resumed.prompt(turn(8));
		await resumed.command("/cwl on");
		await resumed.prompt(turn(9));
		expect(faults(trial)).toEqual([]);
		const undone = await readData(await resumed.file(), UNDO_ENTRY);
		expect(undone.some(({ change }) => change)).toBe(true);
	});

	test("refuses nothing on the way to a model that binds no thinking and back, while cwl is off or makes passes", async () => {
		const trial = await startThinking();
		const pi = trial.rpc({ args: MODEL, environment });
		const use = (modelId: string) => pi.send({ type: "set_model", provider: LOOPBACK_PROVIDER, modelId });
		await takeTurns(pi, 0, 6);
		for (const [index, command] of ["off", "on", "evict", "undo"].entries()) {
			await pi.command(`/cwl ${command}`);
			await use("claude-opus-4-5");
			await pi.prompt("thank you");
			await use("claude-opus-5-5");
			await pi.prompt(turn(6 + index));
		}
		expect((await readState(pi)).passes.length).toBeGreaterThan(0);
		expect(faults(trial)).toEqual([]);
	});

	test("refuses nothing of a model that takes changes of prompt or tools only in front of the conversation", async () => {
		for (const missing of ["SystemMessages", "ToolChanges"]) {
			const trial = await startThinking({ lacks: `supportsMidConvo${missing}` });
			const pi = trial.rpc({ args: MODEL });
			for (const [index, command] of ["off", "on", "off"].entries()) {
				await pi.prompt(turn(index));
				await pi.command(`/cwl ${command}`);
			}
			await pi.prompt(turn(3));
			expect(faults(trial)).toEqual([]);
		}
	});

	test("refuses nothing after a compaction of pi, nor after the resume behind it", async () => {
		const trial = await startThinking();
		const pi = trial.rpc({ args: MODEL });
		await takeTurns(pi, 0, 3);
		await pi.send({ type: "compact" });
		await pi.prompt(turn(3));
		await pi.kill();
		await trial.rpc({ args: ["-c", ...MODEL] }).prompt(turn(4));
		expect(faults(trial)).toEqual([]);
	});

	test("refuses nothing when another extension begins to change old messages", async () => {
		const trial = await startThinking();
		const pi = trial.rpc({ args: MODEL });
		await takeTurns(pi, 0, 2);
		await pi.kill();
		await takeTurns(trial.rpc({ args: ["-c", ...other("rewording"), ...MODEL] }), 2, 4);
		expect(faults(trial)).toEqual([]);
	});

	test("and does so because another extension changes the request after ours is explained in one line", async () => {
		const trial = await startThinking({ isRefused: true });
		const pi = trial.rpc({ args: MODEL });
		await pi.prompt(turn(0));
		await pi.kill();
		const changed = trial.rpc({ args: ["-c", ...other("rewording-payload"), ...MODEL] });
		await changed.prompt(turn(1));
		expect(trial.loopback.records().at(-1)?.refused?.message).toContain("bound to a different conversation");
		const [error = "", ...more] = changed.said("error");
		expect(more).toEqual([]);
		expect(error).toContain("the history in front of it has changed");
		expect(error).toContain('"supportsMidConvoEffort": true');
	});

	test("or drops it for that reason has it counted and told once", async () => {
		const trial = await startThinking({ asksToDrop: true });
		const pi = trial.rpc({ args: MODEL });
		await takeTurns(pi, 0, 2);
		expect((await readState(pi)).droppedThinking.requests).toBe(0);
		await pi.kill();
		const changed = trial.rpc({ args: ["-c", ...other("rewording-payload"), ...MODEL] });
		await takeTurns(changed, 2, 4);
		const { droppedThinking, alerts } = await readState(changed);
		expect(droppedThinking.requests).toBeGreaterThan(0);
		expect(droppedThinking.afterPass).toBe(0);
		expect(changed.status()).toContain(`thinking dropped ×${droppedThinking.requests}`);
		expect(alerts).toContainEqual(expect.objectContaining({ id: "thinking-dropped", grade: "notice" }));
		const told = changed.notices().filter(({ text }) => text.startsWith("cwl: the provider dropped"));
		expect(told).toHaveLength(1);
		expect(await changed.answer("/cwl health")).toContain("this did not begin with a pass");
	});
});
