import { expect, test } from "vitest";
import { OUTPUTS_ENTRY } from "#pi/session";
import { ask, readerModel, recallAll } from "./test-support/reader-model.ts";
import { readSessionEntries } from "./test-support/session-entries.ts";
import { startTrial, type Trial } from "./test-support/trial.ts";

/** Some 13,000 tokens. */
const line = (step: number) => `step ${step} of the long build went by`;
const whole = Array.from({ length: 1_300 }, (_, index) => line(index + 1)).join("\n");
const build = "run seq -f 'step %g of the long build went by' 1300";
const environment = { CWL_OUTPUT_LIMITS: "8k" };
const MARK = /\[about \d+ tokens left out here; recall "([^"]+)" gives the whole output\]/;

const startWork = () =>
	startTrial({ api: "anthropic", addsThinking: true, model: readerModel, files: { "build.log": whole } });

/** Requests that sent invalid thinking, or that did not begin with the one before. */
function faults({ loopback }: Trial) {
	return loopback
		.records()
		.filter(
			({ staleThinking, extendsPrevious }, index) => staleThinking > 0 || (index > 0 && !extendsPrevious),
		);
}

test("a large output is sent shortened from its first request on; files and the user's own commands are sent whole", async () => {
	const trial = await startWork();
	const pi = trial.rpc({ environment });
	const sent = await ask(trial, pi, build);
	expect(sent).toMatch(MARK);
	for (const end of [line(1), line(1_300)]) expect(sent).toContain(end);
	expect(sent).not.toContain(`${line(650)}\n`);
	expect(trial.bodies().join()).not.toContain(line(650));

	const shown = await ask(trial, pi, "look build.log");
	expect(shown).not.toMatch(MARK);
	await pi.send({ type: "bash", command: build.slice(4) });
	await pi.prompt("thanks");
	const [ran] = trial.requests.at(-1)?.messages.filter(({ text }) => text.startsWith("Ran ")) ?? [];
	expect(ran?.text).toContain(whole);
	expect(faults(trial)).toEqual([]);
});

test("the whole output is recalled after a resume too, and what was sent stays as it was", async () => {
	const trial = await startWork();
	// Under Algorithm 1 no pass is made as long as there is room.
	const calm = { CWL_POLICY: "paper" };
	const pi = trial.rpc({ environment: { ...environment, ...calm } });
	const sent = await ask(trial, pi, build);
	const handle = MARK.exec(sent)?.[1] ?? "";
	expect((await recallAll(trial, pi, handle)).texts.join("\n")).toContain(whole);
	await pi.kill();

	// The setting changes while nobody looks: it holds for what comes, and rewrites nothing.
	const resumed = trial.resume({ environment: { ...calm, CWL_OUTPUT_LIMITS: "off" } });
	expect(await ask(trial, resumed, build)).toContain(whole);
	expect(trial.bodies().at(-1)).toContain(JSON.stringify(sent).slice(1, -1));
	expect((await recallAll(trial, resumed, handle)).texts.join("\n")).toContain(whole);
	expect(faults(trial)).toEqual([]);
	const { branch } = await readSessionEntries(await resumed.file());
	expect(branch.filter(({ customType }) => customType === OUTPUTS_ENTRY)).toHaveLength(2);
});
