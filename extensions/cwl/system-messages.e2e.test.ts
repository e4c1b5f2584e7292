import { join } from "node:path";
import { expect, test } from "vitest";
import { LOOPBACK_PROVIDER } from "#testing/pi-driver";
import { readFileOfTurn, turn, writeFilesOfTurns } from "./test-support/file-reader.ts";
import { readState } from "./test-support/state.ts";
import { keepsSystemMessages, PROJECT, startTrial } from "./test-support/trial.ts";

const MODEL = ["--model", `${LOOPBACK_PROVIDER}/claude-opus-5-5`];
const COMMANDS = ["-e", join(PROJECT, "extensions", "cwl", "test-support", "session-commands.ts")];

interface Body {
	readonly system: unknown;
	readonly tools: unknown;
	readonly messages: readonly {
		readonly role: string;
		readonly content: readonly { readonly type: string }[];
	}[];
}

test.runIf(keepsSystemMessages)(
	"a tool that leaves in the middle changes neither prompt nor tools in front, and no pass moves the message that says so",
	async () => {
		const trial = await startTrial({ model: readFileOfTurn, models: ["claude-opus-5-5"] });
		await writeFilesOfTurns(trial.work, 8);
		const pi = trial.rpc({ args: [...MODEL, ...COMMANDS], environment: { CWL_BUDGET: "10k" } });
		for (let index = 0; index < 3; index += 1) await pi.prompt(turn(index));
		await pi.command("/drop-tool write");
		for (let index = 3; index < 8; index += 1) await pi.prompt(turn(index));
		expect((await readState(pi)).passes.length).toBeGreaterThan(0);

		const bodies = trial.bodies().map((body): Body => JSON.parse(body));
		const [first] = bodies;
		for (const { system, tools } of bodies) {
			expect(system).toEqual(first?.system);
			expect(tools).toEqual(first?.tools);
		}
		const removals = bodies.map(({ messages }) =>
			messages.filter(({ role, content }) => role === "system" && content.some(isRemoval)),
		);
		expect(removals.slice(0, 6).flat()).toEqual([]);
		for (const found of removals.slice(6)) expect(found).toHaveLength(1);
	},
);

const isRemoval = ({ type }: { readonly type: string }) => type === "tool_removal";

test.runIf(keepsSystemMessages)(
	"what a switch of cwl adds to prompt and tools inside the conversation is announced, and counted under these names",
	async () => {
		const trial = await startTrial({
			model: readFileOfTurn,
			models: ["claude-opus-5-5"],
			settings: { compaction: { keepRecentTokens: 5_000 } },
		});
		await writeFilesOfTurns(trial.work, 8);
		const environment = { CWL_BUDGET: "60k" };
		let pi = trial.rpc({ args: MODEL, environment });
		const wire = () => trial.loopback.records().at(-1)?.promptTokens ?? 0;
		const expectNear = async (announced: number, before = wire()) => {
			expect(Math.abs(announced - wire())).toBeLessThan(0.02 * before + 50);
			const { ledger, pressure } = await readState(pi);
			expect(pressure.source).toBe("reported");
			expect(Math.abs(pressure.used - wire())).toBeLessThan(0.02 * wire() + 50);
			expect(ledger.unassigned).toBeLessThan(150);
			return ledger;
		};
		const used = async () => (await readState(pi)).pressure.used;
		for (let index = 0; index < 3; index += 1) await pi.prompt(turn(index));
		const before = await expectNear(wire());
		for (let index = 0; index < 3; index += 1) {
			for (const command of ["/cwl off", "/cwl on"]) {
				await pi.command(command);
				const announced = await used();
				await pi.prompt("thank you");
				await expectNear(announced);
			}
		}
		const switched = await expectNear(wire());
		expect(switched.system - before.system).toBeGreaterThan(1_500);
		await pi.send({ type: "compact" });
		const announced = await used();
		await pi.prompt("thank you");
		const compacted = await expectNear(announced, switched.total);
		expect(Math.abs(compacted.system - before.system)).toBeLessThan(20);
		await pi.command("/cwl off");
		await pi.prompt("thank you");
		await pi.command("/cwl on");
		await pi.prompt("thank you");
		await pi.kill();
		pi = trial.rpc({ args: ["-c"], environment });
		await expectNear(wire());
	},
);
