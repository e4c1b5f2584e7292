/**
 * A model that does what it is told: `look FILE` reads the file in an expl of its own, `look-FILE`; `run COMMAND` runs a
 * shell command; `recall QUERY` and `recall QUERY page N` ask for what left; everything else is answered with a word.
 */
import type { ModelRequest } from "#testing";
import { joinRecalled } from "../../../packages/pi/test-support/recalls.ts";
import { call, end, following, read, start } from "./following.ts";
import type { RpcSession } from "./rpc-session.ts";
import type { Trial } from "./trial.ts";

export const readerModel = following((prompt) => {
	const [, verb, object = ""] = /^(look|recall|run) (.+)$/.exec(prompt) ?? [];
	if (verb === "look")
		return [{ calls: [start(`look-${object}`, "expl"), read(object)] }, { calls: [end(`read ${object}`)] }];
	if (verb === "run") return [{ calls: [call("bash", { command: object })] }];
	const [, query, page] = /^(.+?)(?: page (\d+))?$/.exec(object) ?? [];
	const args = { query, ...(page && { page: Number(page) }) };
	return verb === "recall" ? [{ calls: [call("recall", args)] }] : undefined;
});

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
	const pages = Number(/ Page 1 of (\d+);/.exec(first)?.[1] ?? 1);
	const answers = [first];
	for (let page = 2; page <= pages; page += 1)
		answers.push(await ask(trial, pi, `recall ${query} page ${page}`));
	return { first, pages, texts: joinRecalled(answers) };
}
