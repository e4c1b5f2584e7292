/**
 * A model that does what it is told: `look FILE` reads the file in an expl of its own, `look-FILE`; `run COMMAND` runs a
 * shell command; `recall QUERY` and `recall QUERY page N` ask for what left; everything else is answered with a word.
 */

import type { ModelReply, ModelRequest } from "#loopback";

export function readerModel({ messages, tools }: ModelRequest): ModelReply {
	if (tools.length === 0) return { text: "A summary of the session." };
	const at = messages.findLastIndex(({ type, text }) => type === "user" && !text.startsWith("<git-status "));
	const [, verb, object = ""] = /^(look|recall|run) (.+)$/.exec(messages[at]?.text ?? "") ?? [];
	const step = messages.slice(at).filter(({ type }) => type === "assistant").length;
	if (verb === "look" && step === 0) {
		const start = { action: "start", name: `look-${object}`, type: "expl" };
		return {
			calls: [
				{ name: "delimiter", arguments: start },
				{ name: "read", arguments: { path: object } },
			],
		};
	}
	if (verb === "look" && step === 1) {
		return { calls: [{ name: "delimiter", arguments: { action: "end", description: `read ${object}` } }] };
	}
	if (verb === "run" && step === 0) return { calls: [{ name: "bash", arguments: { command: object } }] };
	if (verb === "recall" && step === 0) {
		const [, query, page] = /^(.+?)(?: page (\d+))?$/.exec(object) ?? [];
		return { calls: [{ name: "recall", arguments: { query, ...(page && { page: Number(page) }) } }] };
	}
	return { text: "ok" };
}

/** The result that answers the last call of a request. */
export function lastResult(request: ModelRequest | undefined): string {
	const result = request?.messages.findLast(({ type }) => type === "result");
	return result?.text ?? "";
}
