/** A host in the suite: it runs a whole script and tells what the model was sent. */
import type { ContextOptions } from "../context/managed-context.ts";
import type { Answer, Request, Turn } from "./script.ts";

export interface RunOptions {
	readonly context: ContextOptions;
	/** Starts the adapter anew before each turn, as after a restart of the host. */
	readonly restarts: boolean;
}

/** Resolves to the request for each answer, in order. */
export type HostRun = (turns: readonly Turn[], options: RunOptions) => Promise<readonly Request[]>;

export type Player = ReturnType<typeof createPlayer>;

/** Answers of a script one after the other, for the scripted model of a host, which keeps the requests. */
export function createPlayer(turns: readonly Turn[]) {
	const answers = turns.flatMap(({ answers }) => answers);
	const calls = new Map(answers.flatMap(({ calls }) => calls.map((call) => [call.id, call] as const)));
	const requests: Request[] = [];
	return {
		requests,
		answer(request: Request): Answer {
			requests.push(request);
			const answer = answers[requests.length - 1];
			if (!answer) throw new Error("the script is over");
			return answer;
		},
		resultOf(id: string): string {
			const call = calls.get(id);
			if (!call) throw new Error(`no such call: ${id}`);
			return call.result;
		},
	};
}
