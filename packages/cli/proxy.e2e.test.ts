import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startRecorder } from "../proxy/test-support/upstream.ts";
import { readingSession } from "../wire/test-support/small-requests.ts";
import { createScratch } from "../workspace/test-support/scratch.ts";
import { startProgram } from "./test-support/proxy-process.ts";

const session = (exchanges: number) => JSON.stringify(readingSession(exchanges, 600));

async function send(url: string, body: string): Promise<void> {
	await fetch(`${url}/test/v1/messages`, { method: "POST", body });
}

test("without --enforce every byte passes, and the page says what eviction would have saved", async () => {
	const { url: provider, seen } = await startRecorder();
	const { url } = await startProgram(provider, createScratch(), "--budget", "2500");
	for (let n = 1; n <= 30; n += 1) await send(url, session(n));
	expect(seen.at(-1)?.body.toString()).toBe(session(30));
	const page = await fetch(`${url}/health`);
	expect(page.headers.get("content-type")).toMatch(/^text\/plain/);
	expect(await page.text()).toMatch(
		/^cwl proxy\n\n30 requests: eviction would have sent [\d,]+ fewer input tokens/,
	);
	const figures: { received: { tokens: number }; projected: { tokens: number } } = JSON.parse(
		await (await fetch(`${url}/health.json`)).text(),
	);
	expect(figures).toMatchObject({ version: 1, mode: "observe", budget: 2500, requests: 30, unread: {} });
	expect(figures.projected.tokens).toBeLessThan(figures.received.tokens);
});

test("it ends when it is interrupted, with a verdict", async () => {
	const { url: provider } = await startRecorder();
	const { child } = await startProgram(provider, createScratch());
	const said = text(child.stdout);
	child.kill("SIGINT");
	expect(await once(child, "close")).toEqual([0, null]);
	expect(await said).toContain("No requests yet.");
});

test.each([
	["auto", "160k tokens, or lower where the model's prices make it pay"],
	["90500", "90.5k tokens"],
])("with --budget %s it says that requests stay below %s", async (budget, limit) => {
	const { url: provider } = await startRecorder();
	const { said } = await startProgram(provider, createScratch(), "--enforce", "--budget", budget);
	expect(said).toContain(` keeps requests below ${limit}. `);
});
