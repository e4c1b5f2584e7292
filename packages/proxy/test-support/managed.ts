/** A proxy with the engine in it, which ends with the test. */
import { onTestFinished } from "vitest";
import { smallHost } from "../../wire/test-support/small-requests.ts";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { type ManagedProxyOptions, startManagedProxy } from "../managed-proxy.ts";
import { type RawRequest, sendRaw, startRecorder } from "./upstream.ts";

/** Starts a proxy in enforce mode whose provider `p` is the server at this address; budget 1,000 tokens of four characters. */
export async function startManaged(upstream: string, options: Partial<ManagedProxyOptions> = {}) {
	const folder = createScratch();
	const warnings: string[] = [];
	const { proxy, status } = await startManagedProxy({
		...{ ...smallHost, mode: "enforce", port: 0, budget: 1_000, folder },
		upstreams: new Map([["p", new URL(upstream)]]),
		warn: (line) => warnings.push(line),
		...options,
	});
	onTestFinished(() => proxy.close());
	return { url: proxy.url, status, folder, warnings };
}

/** The same in front of a provider that keeps every request; `send` asks for `/v1/messages`. */
export async function startRecorded(
	answer?: Parameters<typeof startRecorder>[0],
	options?: Partial<ManagedProxyOptions>,
) {
	const { url: provider, seen } = await startRecorder(answer);
	const managed = await startManaged(provider, options);
	const send = (body: Buffer | object, request?: RawRequest) =>
		sendRaw(`${managed.url}/p/v1/messages`, {
			...{ ...request, body: Buffer.isBuffer(body) ? body : JSON.stringify(body) },
		});
	return { ...managed, provider, seen, send };
}
