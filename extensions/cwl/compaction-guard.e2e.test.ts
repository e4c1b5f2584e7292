import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldsOf } from "#basics";
import type { ModelRequest } from "#testing";
import { read } from "./test-support/following.ts";
import type { RpcSession } from "./test-support/rpc-session.ts";
import { expectOneTruth, readScreens } from "./test-support/screens.ts";
import { startTrial, until } from "./test-support/trial.ts";

/** pi's threshold lies at 10,000 tokens, the budget above it at 20,000, as no user should have it. */
const settings = { compaction: { enabled: true, reserveTokens: 30_000, keepRecentTokens: 1_000 } };
const contextWindow = 40_000;

const isSummary = ({ tools }: ModelRequest) => tools.length === 0;

/** Reads a long file in the first turn, chats in the others, and writes the summaries that pi asks for. */
function model(request: ModelRequest) {
	if (isSummary(request)) return { text: "A summary of the session." };
	const hasRead = request.messages.some(({ type }) => type === "assistant");
	return hasRead ? { text: "ok" } : { calls: [read("long.txt")] };
}

function compactions(pi: RpcSession): readonly unknown[] {
	const ends = pi.events.filter(({ type }) => type === "compaction_end");
	return ends.map(({ reason, aborted }) => ({ reason, aborted }));
}

test("pi's automatic compaction is stopped while cwl manages, and a manual compaction works at once", async () => {
	const trial = await startTrial({ model, contextWindow, settings });
	const lines = Array.from({ length: 1_900 }, (_, line) => `${line} bottles of cold beer`);
	await writeFile(join(trial.work, "long.txt"), lines.join("\n"));
	const pi = trial.rpc({ environment: { CWL_BUDGET: "20k" } });
	await pi.prompt("read it");
	await pi.prompt("go on");
	// After the first run, before the second and after it; later hosts look between requests too.
	await until(() => compactions(pi).length >= 3);
	const stopped = compactions(pi);
	expect(stopped).toEqual(Array(stopped.length).fill({ reason: "threshold", aborted: true }));
	expect(trial.requests.some(isSummary)).toBe(false);
	const told = pi.notices().filter(({ text }) => text.startsWith("cwl: stopped pi's automatic compaction"));
	expect(told).toHaveLength(1);
	expect(trial.loopback.records().at(-1)?.promptTokens).toBeGreaterThan(10_000);

	expect(pi.status()).toContain("% cached");
	const answer = await pi.send({ type: "compact" });
	expect(fieldsOf(answer.data).summary).toContain("A summary of the session.");
	// The provider has nothing of the new beginning yet.
	expect(pi.status()).not.toContain("cached");
	expect(pi.status()).toMatch(/^cwl ~?(\d{3}|[1-3](\.\d)?k)\/20k /);
	await pi.prompt("and now?");
	expect(pi.status()).toContain("% cached");
	const last = trial.requests.at(-1);
	expect(JSON.stringify(last?.messages)).toContain("A summary of the session.");
	expect(JSON.stringify(last?.messages)).not.toContain("bottles of cold beer");
	expect(await pi.answer("/cwl")).not.toContain("No episode yet");
});

test("while cwl is off pi compacts by itself, every screen says so, and none speaks of the whole history", async () => {
	const trial = await startTrial({ model, contextWindow, settings });
	const lines = Array.from({ length: 1_900 }, (_, line) => `${line} bottles of cold beer`);
	await writeFile(join(trial.work, "long.txt"), lines.join("\n"));
	const pi = trial.rpc({ environment: { CWL_BUDGET: "20k" } });
	await pi.prompt("read it");
	expect(trial.requests.some(isSummary)).toBe(false);
	const off = await pi.answer("/cwl off");
	await pi.prompt("go on");
	await until(() => compactions(pi).some((each) => !fieldsOf(each).aborted));
	await pi.prompt("and now?");
	expect(trial.loopback.records().at(-1)?.promptTokens).toBeLessThan(10_000);
	const screens = await readScreens(pi);
	expectOneTruth(screens);
	for (const said of [off, screens.status, screens.health]) {
		expect(said.replace(/\n */g, " ")).toContain(" and pi may compact by itself.");
		expect(said).not.toContain("whole history");
	}
});

test("a compaction by hand works after an answer that failed", async () => {
	let isDown = false;
	const fault = () => (isDown ? ({ type: "status", status: 500 } as const) : undefined);
	const once = { ...settings, retry: { enabled: false } };
	const trial = await startTrial({ model, contextWindow, settings: once, fault });
	const lines = Array.from({ length: 900 }, (_, line) => `${line} bottles of cold beer`);
	await writeFile(join(trial.work, "long.txt"), lines.join("\n"));
	const pi = trial.rpc({ environment: { CWL_BUDGET: "20k" } });
	await pi.prompt("read it");
	isDown = true;
	await pi.prompt("go on");
	isDown = false;
	const answer = await pi.send({ type: "compact" });
	expect(fieldsOf(answer.data).summary).toContain("A summary of the session.");
});
