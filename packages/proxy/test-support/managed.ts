/** A proxy with the engine in it, which ends with the test. */
import { onTestFinished } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { type ManagedProxyOptions, startManagedProxy } from "../managed-proxy.ts";
import { answerWithTexts, quarters } from "./small-requests.ts";

/** Starts a proxy in enforce mode whose provider `p` is the server at this address; budget 1,000 tokens of four characters. */
export async function startManaged(upstream: string, options: Partial<ManagedProxyOptions> = {}) {
	const folder = createScratch();
	const warnings: string[] = [];
	const tools = { read: { effect: "reads", output: "intermediate" } } as const;
	const started = await startManagedProxy({
		...{ mode: "enforce", port: 0, budget: 1_000, folder },
		...{ reader: quarters, tools, answerRecall: answerWithTexts },
		...{ upstreams: new Map([["p", new URL(upstream)]]), warn: (line) => warnings.push(line) },
		...options,
	});
	if (started.type !== "started") throw new Error(started.type);
	onTestFinished(() => started.proxy.close());
	return { url: started.proxy.url, status: started.status, folder, warnings };
}
