/** A proxy with the engine in it: starts the server, reads requests, and keeps figures. */

import { NotUnderstood } from "./conversation/request.ts";
import { createProjector, type ProjectorOptions } from "./enforce/projector.ts";
import { createMemoryStore, openStore } from "./pass-store.ts";
import { type RequestReader, startProxy } from "./server/proxy.ts";
import type { Upstreams } from "./server/upstream.ts";
import { createStatusKeeper, formatHealth, type Mode } from "./status.ts";

export interface ManagedProxyOptions extends Omit<ProjectorOptions, "store"> {
	/** `observe` changes nothing and reports what `enforce` would have saved. */
	readonly mode: Mode;
	/** 0 for a free one. */
	readonly port: number;
	/** Those of Anthropic and OpenAI if absent. */
	readonly upstreams?: Upstreams;
	/** The folder of the passes; `observe` keeps them in memory. */
	readonly folder: string;
	/** Takes one line for the user. */
	readonly warn: (line: string) => void;
}

/** Starts a proxy. Credentials pass through it and are kept nowhere. @throws as `startProxy` */
export async function startManagedProxy(options: ManagedProxyOptions) {
	const { mode, port, upstreams, folder, budget, isAuto = false } = options;
	const warn = oncePerLine(options.warn);
	const store = mode === "enforce" ? openStore(folder, warn) : createMemoryStore();
	const status = createStatusKeeper({ mode, budget, budgetMode: isAuto ? "auto" : "fixed" });
	const reader = createReader({ ...options, warn, store }, status);
	const pages = {
		"/health": () => ({ type: "text/plain; charset=utf-8", text: formatHealth(status.read()) }),
		"/health.json": () => ({
			type: "application/json",
			text: `${JSON.stringify(status.read(), undefined, "\t")}\n`,
		}),
	};
	const proxy = await startProxy({ port, reader, pages, warn, ...(upstreams && { upstreams }) });
	return { proxy, status: status.read };
}

function createReader(
	options: ProjectorOptions & Pick<ManagedProxyOptions, "mode" | "warn">,
	status: ReturnType<typeof createStatusKeeper>,
): RequestReader {
	const { mode, warn } = options;
	const projector = createProjector(options);
	return {
		mode,
		async read(endpoint, path, body) {
			try {
				if (!body) throw new NotUnderstood("the body is too large or cannot be decoded");
				if (mode === "enforce" && endpoint.format.asksToHold?.(body)) {
					status.addThread();
					return { refusal: threadRefusal };
				}
				await projector.readAhead(endpoint, body);
				const projection = projector.project(endpoint, body);
				status.add(endpoint, projection);
				return {
					body: projection.body === body ? undefined : projection.body,
					onUsage(usage) {
						try {
							projection.onUsage(usage);
						} catch (error) {
							warn(`nothing was learnt from an answer, through a fault of cwl: ${String(error)}.`);
						}
					},
				};
			} catch (error) {
				const isKnown = error instanceof NotUnderstood;
				status.addUnread(endpoint, isKnown ? error.message : "a fault of cwl");
				const why = isKnown ? `: ${error.message}` : `, through a fault of cwl: ${String(error)}`;
				warn(`a request to ${path} passes unread${why}.`);
				return {};
			}
		},
	};
}

/**
 * Anthropic's answer to a request that cannot be part of a message thread: clients then send whole conversations, in which the
 * provider holds nothing that cannot be evicted.
 */
const threadRefusal = {
	status: 400,
	body: {
		type: "error",
		error: {
			type: "invalid_request_error",
			message:
				"cwl proxy: a message thread cannot be kept below a budget: send the whole conversation without `thread`.",
			details: { error_code: "thread_unsupported_request" },
		},
	},
};

/** Lines that have been said. */
const MAX_LINES = 1_000;

function oncePerLine(warn: (line: string) => void): (line: string) => void {
	const said = new Set<string>();
	return (line) => {
		if (said.has(line) || said.size >= MAX_LINES) return;
		said.add(line);
		warn(line);
	};
}
