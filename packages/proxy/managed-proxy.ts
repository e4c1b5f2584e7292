/** A proxy with the engine in it: starts the server, reads requests, and keeps figures. */
import { createEngine, type EngineOptions, formatHealth } from "#wire";
import { startProxy } from "./server/proxy.ts";
import type { Upstreams } from "./server/upstream.ts";

export interface ManagedProxyOptions extends EngineOptions {
	/** 0 for a free one. */
	readonly port: number;
	/** Those of Anthropic and OpenAI if absent. */
	readonly upstreams?: Upstreams;
}

/** Starts a proxy. Credentials pass through it and are kept nowhere. @throws as `startProxy` */
export async function startManagedProxy(options: ManagedProxyOptions) {
	const { port, upstreams } = options;
	const reader = createEngine(options);
	const { status, warn } = reader;
	const pages = {
		"/health": () => ({ type: "text/plain; charset=utf-8", text: formatHealth(status()) }),
		"/health.json": () => ({
			type: "application/json",
			text: `${JSON.stringify(status(), undefined, "\t")}\n`,
		}),
	};
	const proxy = await startProxy({ port, reader, pages, warn, upstreams });
	return { proxy, status };
}
