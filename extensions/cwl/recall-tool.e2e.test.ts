import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { joinRecalled, readRecalled } from "../../packages/pi/test-support/recalls.ts";
import { ask, readerModel, recallAll } from "./test-support/reader-model.ts";
import { readState } from "./test-support/state.ts";
import { startTrial, type Trial, type TrialOptions } from "./test-support/trial.ts";

const environment = { CWL_BUDGET: "12k", CWL_POLICY: "cwl" };

/** Distinct lines, about 7 tokens each; the last line has no line end, as an editor may leave it. */
function linesOf(file: string, lines: number): string {
	return Array.from({ length: lines }, (_, line) => `${line} green bottles of ${file}`).join("\n");
}

const files = { long: linesOf("long", 1_000), hops: linesOf("hops", 300), malt: linesOf("malt", 300) };
/** Enough to press the first ones out of the context. */
const looks = ["long", "hops", "malt", "oats", "rye", "wheat", "rice"];

async function startReader(options: Omit<TrialOptions, "model"> = {}): Promise<Trial> {
	const trial = await startTrial({ ...options, model: readerModel });
	for (const [name, text] of Object.entries(files)) await writeFile(join(trial.work, name), text);
	for (const name of looks.slice(3)) await writeFile(join(trial.work, name), linesOf(name, 300));
	return trial;
}

/** Looks at all files; the first of them have left the context then. */
async function startEvicted(options: Omit<TrialOptions, "model"> = {}) {
	const trial = await startReader(options);
	const pi = trial.rpc({ environment });
	for (const name of looks) await pi.prompt(`look ${name}`);
	const sent = JSON.stringify(trial.requests.at(-1)?.messages);
	expect(sent).toContain('[expl \\"look-long\\", evicted');
	for (const name of ["long", "hops"]) expect(sent).not.toContain(`17 green bottles of ${name}`);
	return { trial, pi };
}

test("an evicted episode comes back byte for byte, page by page, by name, handle and path, and by the user's command as a note", async () => {
	const { trial, pi } = await startEvicted({ api: "anthropic" });
	const { first, pages, texts } = await recallAll(trial, pi, "look-long");
	expect(first).toMatch(/^recall "look-long": closed expl, 7 user turns ago, /);
	expect(pages).toBeGreaterThan(1);
	expect(texts).toContain(files.long);
	expect(await ask(trial, pi, "recall look-long page 99")).toContain(`has ${pages} pages`);
	for (const query of ["look-hops#2", '"look-hops"', join(trial.work, "hops"), "hops"]) {
		expect(joinRecalled([await ask(trial, pi, `recall ${query}`)])).toContain(files.hops);
	}
	for (const { promptTokens } of trial.loopback.records()) expect(promptTokens).toBeLessThanOrEqual(12_000);

	expect(await pi.command("/cwl recall look-malt")).toEqual([
		{
			kind: "info",
			text: expect.stringMatching(
				/^cwl: recalled look-malt \([\d.]+k tokens\): the model sees it with the next request\.$/,
			),
		},
	]);
	expect(JSON.stringify(pi.events.findLast(({ type }) => type === "message_end"))).toContain('"cwl.recall"');
	await pi.prompt("Thank you.");
	const note = trial.requests.at(-1)?.messages.find(({ text }) => text.startsWith("Brought back by"));
	expect(note?.type).toBe("user");
	expect(joinRecalled([note?.text ?? ""])).toContain(files.malt);
	const [nothing] = await pi.command("/cwl recall");
	const [unknown] = await pi.command("/cwl recall look-ten page 3");
	expect(nothing).toMatchObject({ kind: "error", text: expect.stringContaining("recall what?") });
	expect(unknown).toMatchObject({ kind: "error", text: expect.stringContaining('"look-ten": unknown') });
});

test("what /cwl recall finds still in the context is not taken by the pass of the next message", async () => {
	const { trial, pi } = await startReaderAt("hops");
	const control = await startReaderAt("hops");
	expect(await pi.answer("/cwl recall 17 green bottles of hops")).toMatch(
		/ is still in the context: the model sees it already, and passes spare it until the next run has ended\.$/,
	);
	for (const { pi: each } of [control, { pi }]) await each.prompt("look rice");
	const isSent = ({ requests }: Trial) =>
		JSON.stringify(requests.at(-1)?.messages).includes("17 green bottles of hops");
	expect([isSent(control.trial), isSent(trial)]).toEqual([false, true]);
	for (const { promptTokens } of trial.loopback.records()) expect(promptTokens).toBeLessThanOrEqual(12_000);
});

test("of unmarked work in hand why says that its pass is yet to come, and after a recall that this keeps it", async () => {
	const files = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, `${name} `.repeat(1_500)]));
	const reads = Object.keys(files).map((path) => ({ calls: [{ name: "read", arguments: { path } }] }));
	const trial = await startTrial({ files, model: () => reads.shift() ?? { text: "ok" } });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "12k" } });
	await pi.prompt("read them all");
	const [work] = (await readState(pi)).episodes;
	expect(await pi.answer(`/cwl why ${work?.name}`)).toMatch(
		/ since its pass is yet to come; .+ may leave within /,
	);
	await pi.command(`/cwl recall ${work?.name}`);
	expect(await pi.answer(`/cwl why ${work?.name}`)).toContain(" since a recall asked for it");
});

test("while cwl is off, evicted text is in the context already", async () => {
	const { trial, pi } = await startEvicted();
	await pi.command("/cwl off");
	for (const query of ["look-hops", "17 green bottles of long"])
		expect(await pi.answer(`/cwl recall ${query}`)).toMatch(
			/ is still in the context: the model sees it already while cwl is off\.$/,
		);
	await pi.prompt("Thank you.");
	const sent = JSON.stringify(trial.requests.at(-1)?.messages);
	expect(sent.split("299 green bottles of hops")).toHaveLength(2);
	await pi.command("/cwl on");
	expect(await pi.answer("/cwl recall look-hops")).toContain(": the model sees it with the next request.");
});

/** A session that sees a file until its next look at another one. */
async function startReaderAt(name: string) {
	const trial = await startReader();
	const pi = trial.rpc({ environment });
	for (const each of [name, "malt", "oats", "rye", "wheat"]) await pi.prompt(`look ${each}`);
	return { trial, pi };
}

test("killed and resumed, forked or compacted by pi, a session still gives back what it held", async () => {
	const { trial, pi } = await startEvicted({ settings: { compaction: { keepRecentTokens: 1_000 } } });
	await pi.kill();
	const resumed = trial.resume({ environment });
	const whole = async (query: string) => joinRecalled([await ask(trial, resumed, `recall ${query}`)]);
	expect(await whole("look-hops")).toContain(files.hops);

	await resumed.send({ type: "fork", entryId: await resumed.entryOf("look rice") });
	const page = readRecalled(await ask(trial, resumed, "recall look-long#2"))[0]?.text ?? "";
	expect(files.long.startsWith(page) && page.length > 1_000).toBe(true);
	expect(await ask(trial, resumed, "recall look-rice")).toMatch(/^recall "look-rice": unknown\./);

	await resumed.send({ type: "compact" });
	await resumed.prompt("go on");
	expect(JSON.stringify(trial.requests.at(-1)?.messages)).toContain("A summary of the session.");
	for (const query of ["look-hops", "look-hops#2", "hops"]) expect(await whole(query)).toContain(files.hops);
	expect(joinRecalled([await ask(trial, resumed, "recall 3 green bottles of malt")]).join()).toContain(
		"of malt",
	);
});

test("an image comes back as an image", async () => {
	const trial = await startReader({ api: "anthropic" });
	const png =
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
	await writeFile(join(trial.work, "dot.png"), Buffer.from(png, "base64"));
	const pi = trial.rpc({ environment });
	for (const name of ["dot.png", ...looks]) await pi.prompt(`look ${name}`);
	expect(trial.bodies().at(-1)).not.toContain('"type":"image"');
	expect(await ask(trial, pi, "recall look-dot.png")).toContain('"image/png" attached');
	expect(trial.bodies().at(-1)).toContain('"type":"image"');
});
