/** The engine behind both of its entries, each with an address of its own that ends with the test. */
import { onTestFinished } from "vitest";
import { loadHost, withLifecycle } from "#wire";
import { quarters } from "../../wire/test-support/small-requests.ts";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { type ManagedProxyOptions, startManagedProxy } from "../managed-proxy.ts";
import { bytesOf, type RawRequest, sendRaw, startRecorder, startUpstream } from "./upstream.ts";

/** The proxy, and the `fetch` wrapper behind a server that passes each request to it. */
export type Entry = "proxy" | "wrapper";
export const entries: readonly Entry[] = ["proxy", "wrapper"];

interface ManagedOptions extends Partial<ManagedProxyOptions> {
	readonly entry?: Entry;
}

const TODAY = "2026-11-28";

/** Starts an entry in enforce mode whose provider `p` is the server at this address; budget 1,000 tokens of four characters. */
export async function startManaged(upstream: string, { entry = "proxy", ...options }: ManagedOptions = {}) {
	const folder = options.folder ?? createScratch();
	const warnings: string[] = [];
	const warn = (line: string) => warnings.push(line);
	const { budget = 1_000 } = options;
	if (entry === "wrapper")
		return { ...(await startWrapped(upstream, { budget, folder, warn })), folder, warnings };
	const { proxy, status } = await startManagedProxy({
		...(await loadHost(quarters.countTokens)),
		today: () => TODAY,
		mode: "enforce",
		port: 0,
		upstreams: new Map([["p", new URL(upstream)]]),
		warn,
		...options,
		budget,
		folder,
	});
	onTestFinished(() => proxy.close());
	return { url: proxy.url, status, folder, warnings };
}

interface WrappedOptions {
	readonly budget: number;
	readonly folder: string;
	readonly warn: (line: string) => void;
}

/** Headers of a connection, which `fetch` sets for its own. */
const CONNECTION =
	/^(host|connection|content-length|transfer-encoding|trailer|content-encoding|accept-encoding)$/i;

async function startWrapped(upstream: string, { budget, folder, warn }: WrappedOptions) {
	const { countTokens } = quarters;
	const send = withLifecycle({ budget, folder, countTokens, date: TODAY, onWarning: warn });
	const url = await startUpstream(async (incoming, response) => {
		const { method = "POST", url: path = "", headers: given } = incoming;
		const headers = Object.entries(given).filter(([name]) => !CONNECTION.test(name)) as [string, string][];
		const body = (await bytesOf(incoming)).toString();
		const ended = new AbortController();
		response.on("close", () => ended.abort());
		const answer = await send(upstream + path.replace("/p/", "/"), {
			method,
			headers,
			body,
			signal: ended.signal,
		});
		response.writeHead(answer.status, [...answer.headers].filter(([name]) => !CONNECTION.test(name)).flat());
		try {
			for await (const part of answer.body ?? []) response.write(part);
			response.end();
		} catch (error) {
			// The agent has stopped reading.
			if (!ended.signal.aborted) throw error;
		}
	});
	return {
		url,
		status() {
			const { status } = send.explain();
			if (!status) throw new Error("no requests yet");
			return status;
		},
	};
}

/** The same in front of a provider that keeps every request; `send` asks for `/v1/messages`. */
export async function startRecorded(answer?: Parameters<typeof startRecorder>[0], options?: ManagedOptions) {
	const { url: provider, seen } = await startRecorder(answer);
	const managed = await startManaged(provider, options);
	const send = (body: Buffer | object, request?: RawRequest) =>
		sendRaw(`${managed.url}/p/v1/messages`, {
			...{ ...request, body: Buffer.isBuffer(body) ? body : JSON.stringify(body) },
		});
	return { ...managed, provider, seen, send };
}
