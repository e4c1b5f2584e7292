import { isContextOverflow } from "@mariozechner/pi-ai";
import { afterEach, describe, expect, test } from "vitest";
import { echo } from "../model.ts";
import { API_NAMES, ask, piModel } from "../test-support/pi-ai.ts";
import type { Fault } from "./exchange.ts";
import { type Loopback, startLoopback } from "./server.ts";

const HELLO = { messages: [{ role: "user" as const, content: "hello", timestamp: 1 }] };

let loopback: Loopback | undefined;

afterEach(async () => {
	await loopback?.close();
	loopback = undefined;
});

async function startFaulty(fault: Fault): Promise<Loopback> {
	loopback = await startLoopback({ model: echo, fault: (index) => (index === 0 ? fault : undefined) });
	return loopback;
}

describe.each(API_NAMES)("a fault of %s", (api) => {
	test.each([429, 500, 529] as const)(
		"status %i reaches pi-ai as an error, and the next request works",
		async (status) => {
			const { url, records } = await startFaulty({ type: "status", status });
			const failed = await ask(piModel(api, url), HELLO);
			expect(failed.stopReason).toBe("error");
			expect(failed.errorMessage).toContain(String(status));
			expect(isContextOverflow(failed)).toBe(false);
			expect((await ask(piModel(api, url), HELLO)).stopReason).toBe("stop");
			expect(records().map((record) => record.refused?.status)).toEqual([status, undefined]);
		},
	);

	test("overflow reads as one", async () => {
		const { url } = await startFaulty({ type: "overflow" });
		expect(isContextOverflow(await ask(piModel(api, url), HELLO))).toBe(true);
	});

	test("a reset ends the reply as an error", async () => {
		const { url, records } = await startFaulty({ type: "reset" });
		expect((await ask(piModel(api, url), HELLO)).stopReason).toBe("error");
		expect(records()[0]?.refused).toBeUndefined();
	});

	test("a stall ends when the caller gives up", async () => {
		const { url } = await startFaulty({ type: "stall" });
		const aborting = new AbortController();
		const events: string[] = [];
		const reply = await ask(piModel(api, url), HELLO, {
			signal: aborting.signal,
			onEvent: ({ type }) => {
				events.push(type);
				aborting.abort();
			},
		});
		expect(events[0]).toBe("start");
		expect(reply.stopReason).toBe("aborted");
	});

	test("missing usage reads as none", async () => {
		const { url, records } = await startFaulty({ type: "usage-missing" });
		const reply = await ask(piModel(api, url), HELLO);
		expect([reply.stopReason, reply.usage.totalTokens]).toEqual(["stop", 0]);
		expect(records()[0]?.promptTokens).toBeGreaterThan(0);
	});

	test("scaled usage is reported, while the record keeps the truth", async () => {
		const factor = 1.35;
		const { url, records } = await startFaulty({ type: "usage-scaled", factor });
		const { usage } = await ask(piModel(api, url), HELLO);
		const truth = records()[0]?.promptTokens ?? 0;
		expect(usage.input + usage.cacheRead + usage.cacheWrite).toBe(Math.floor(truth * factor));
	});
});
