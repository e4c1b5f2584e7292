/**
 * A model that does what it is told: `look FILE` reads the file in an expl of its own, `look-FILE`; `run COMMAND` runs a
 * shell command; `recall QUERY` and `recall QUERY page N` ask for what left; everything else is answered with a word.
 */

import type { ModelReply, ModelRequest } from "#loopback";
import { joinRecalled } from "../../../packages/pi/test-support/recalls.ts";
import type { RpcSession } from "./rpc-session.ts";
import type { Trial } from "./trial.ts";

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

/** The result that the model gets last after a prompt. */
export async function ask(trial: Trial, pi: RpcSession, prompt: string): Promise<string> {
	await pi.prompt(prompt);
	return lastResult(trial.requests.at(-1));
}

/** The texts that a recall of every page gives back, and the number of pages. */
export async function recallAll(trial: Trial, pi: RpcSession, query: string) {
	const first = await ask(trial, pi, `recall ${query}`);
	const pages = Number(/ Page 1 of (\d+),/.exec(first)?.[1] ?? 1);
	const answers = [first];
	for (let page = 2; page <= pages; page += 1)
		answers.push(await ask(trial, pi, `recall ${query} page ${page}`));
	return { first, pages, texts: joinRecalled(answers) };
}
