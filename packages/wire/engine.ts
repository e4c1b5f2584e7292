/** The engine between an agent and its provider, whatever carries the requests: what is read, what is sent instead, and the figures. */
import type { UnknownRecord } from "#basics";
import { NotUnderstood } from "./conversation/request.ts";
import { createProjector, type ProjectedRequest, type ProjectorOptions } from "./enforce/projector.ts";
import type { Mode, PassEvent } from "./figures.ts";
import type { Endpoint } from "./formats/formats.ts";
import { createMemoryStore, openStore } from "./pass-store.ts";
import { createStatusKeeper } from "./status.ts";

export interface EngineOptions extends Omit<ProjectorOptions, "store"> {
	/** `observe` changes nothing and reports what `enforce` would have saved. */
	readonly mode: Mode;
	/** The folder of the passes; `observe`, and every engine without one, keeps them in memory. */
	readonly folder?: string | undefined;
	/** Takes each pass once it is stored. Errors of it are reported and change nothing. */
	readonly onPass?: ((event: PassEvent) => void) | undefined;
}

export interface ReadResult {
	/** The error to answer with, as the provider would; nothing is sent on then. Only `enforce` uses it. */
	readonly refusal?: { readonly status: number; readonly body: unknown };
	/** The body to send instead, which only `enforce` uses. */
	readonly body?: Buffer | undefined;
	/** Takes the usage that the answer reports, before the agent has all of that answer. Never throws. */
	readonly onUsage?: (usage: UnknownRecord) => void;
}

export type Engine = ReturnType<typeof createEngine>;

/** Conversations that a recall by hand can search. */
const MAX_CONVERSATIONS = 64;

export function createEngine(options: EngineOptions) {
	const { mode, folder, budget, isAuto = false, onPass } = options;
	const warn = oncePerLine(options.warn);
	const store = mode === "enforce" && folder !== undefined ? openStore(folder, warn) : createMemoryStore();
	const status = createStatusKeeper({ mode, budget, budgetMode: isAuto ? "auto" : "fixed" });
	const projector = createProjector({ ...options, warn, store });
	/** The last request of each conversation, the most recent one last. */
	const last = new Map<string, ProjectedRequest>();

	function add(endpoint: Endpoint, projection: ProjectedRequest) {
		const { conversation, pass, received, sent } = projection;
		status.add(endpoint, projection);
		last.delete(conversation);
		last.set(conversation, projection);
		const [oldest] = last.keys();
		if (last.size > MAX_CONVERSATIONS && oldest !== undefined) last.delete(oldest);
		if (!pass) return;
		try {
			onPass?.({ conversation, pass, received, sent });
		} catch (error) {
			warn(`onPass failed: ${String(error)}.`);
		}
	}

	async function project(endpoint: Endpoint, body: Buffer | undefined): Promise<ReadResult> {
		if (!body) throw new NotUnderstood("the body is too large or cannot be decoded");
		if (mode === "enforce" && endpoint.format.asksToHold?.(body)) {
			status.addThread();
			return { refusal: threadRefusal };
		}
		await projector.readAhead(endpoint, body);
		const projection = projector.project(endpoint, body);
		add(endpoint, projection);
		return {
			body: projection.body === body ? undefined : projection.body,
			onUsage(usage) {
				try {
					projection.onUsage(usage);
				} catch (error) {
					warn(`nothing was learned from an answer, through a fault of cwl: ${String(error)}.`);
				}
			},
		};
	}

	return {
		mode,
		warn,
		status: status.read,
		/**
		 * Reads a request to an endpoint at a path of the provider, without the query. `body` has no compression; it is undefined if
		 * it cannot be decoded or is too large. Never rejects.
		 */
		async read(endpoint: Endpoint, path: string, body: Buffer | undefined): Promise<ReadResult> {
			try {
				return await project(endpoint, body);
			} catch (error) {
				const isKnown = error instanceof NotUnderstood;
				status.addUnread(endpoint, isKnown ? error.message : "a fault of cwl");
				const why = isKnown ? `: ${error.message}` : `, through a fault of cwl: ${String(error)}`;
				warn(`a request to ${path} passes unread${why}.`);
				return {};
			}
		},
		/** A page of what a query names, from a conversation or the most recent one; undefined before its first request. */
		recall(query: string, page: number, conversation?: string): string | undefined {
			const found = conversation === undefined ? [...last.values()].at(-1) : last.get(conversation);
			return found?.recall(query, page);
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
				"cwl: a message thread cannot be kept below a budget: send the whole conversation without `thread`.",
			details: { error_code: "thread_unsupported_request" },
		},
	},
};

/** Lines that are said once. */
const MAX_LINES = 1_000;

function oncePerLine(warn: (line: string) => void): (line: string) => void {
	const said = new Set<string>();
	return (line) => {
		if (said.has(line) || said.size >= MAX_LINES) return;
		said.add(line);
		warn(line);
	};
}
