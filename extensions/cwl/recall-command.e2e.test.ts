import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { joinRecalled } from "../../packages/pi/test-support/recalls.ts";
import { readerModel } from "./test-support/reader-model.ts";
import { startTrial } from "./test-support/trial.ts";

test("/cwl recall puts back what left as a note that the model sees, and says so in one line", async () => {
	const trial = await startTrial({ model: readerModel });
	const text = (name: string) => Array.from({ length: 400 }, (_, i) => `${i} of ${name}`).join("\n");
	const names = ["one", "two", "three", "four"];
	for (const name of names) await writeFile(join(trial.work, name), text(name));
	const pi = trial.rpc({ environment: { CWL_BUDGET: "5k" } });
	for (const name of names) await pi.prompt(`look ${name}`);
	expect(JSON.stringify(trial.requests.at(-1)?.messages)).not.toContain("17 of one");

	const [notice] = await pi.command("/cwl recall look-one");
	expect(notice).toEqual({
		kind: "info",
		text: expect.stringMatching(
			/^cwl: recalled look-one \([\d.]+k tokens\): the model sees it with the next request\.$/,
		),
	});
	const shown = pi.events.filter(({ type }) => type === "message_end").at(-1);
	expect(JSON.stringify(shown)).toContain('"customType":"cwl.recall"');
	await pi.prompt("Thank you.");
	const note = trial.requests.at(-1)?.messages.find((message) => message.text.includes("17 of one"));
	expect(note?.type).toBe("user");
	expect(joinRecalled([note?.text ?? ""])).toContain(text("one"));
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);

	const [nothing] = await pi.command("/cwl recall");
	const [unknown] = await pi.command("/cwl recall look-ten page 3");
	expect(nothing).toMatchObject({ kind: "error", text: expect.stringContaining("recall what?") });
	expect(unknown).toMatchObject({ kind: "error", text: expect.stringContaining('"look-ten": unknown') });
});
