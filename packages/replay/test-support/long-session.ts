/** A recorded session that outgrows small budgets: rounds of reading and editing, a user turn between them. */
import type { HostMessage } from "#pi/codec";
import type { RecordedSession } from "../readers/recorded-session.ts";
import { calls, recorded, reply, result, says, thinks, user } from "./messages.ts";

/** Of each round an edit repeats a line that its read showed, and every third one a line of twenty rounds before. */
export function writeLongSession(rounds: number): RecordedSession {
	const messages: HostMessage[] = [];
	for (let round = 0; round < rounds; round++) messages.push(...writeRound(round));
	return recorded(...messages);
}

function writeRound(round: number): readonly HostMessage[] {
	const path = `src/part${round}.ts`;
	const edited = round % 3 === 2 ? Math.max(0, round - 20) : round;
	return [
		user(`task ${round}`),
		reply(
			thinks(`I wonder about ${round}`),
			calls(`list${round}`, "ls", { path: "src" }),
			calls(`read${round}`, "read", { path }),
		),
		result(`list${round}`, `src/part${round}.ts src/part${round + 1}.ts\n`.repeat(20)),
		result(`read${round}`, `${lineOf(round)}\n${`filler of ${round}\n`.repeat(60)}`),
		reply(
			calls(`edit${round}`, "edit", { path: `src/part${edited}.ts`, oldText: lineOf(edited), newText: "" }),
		),
		result(`edit${round}`, "ok"),
		reply(says("now the tests"), calls(`test${round}`, "bash", { command: "npm test" })),
		result(`test${round}`, `passed ${round}\n`.repeat(30)),
		reply(says(`task ${round} is done`)),
	];
}

function lineOf(round: number): string {
	return `const constant_of_round_${round} = "${"value ".repeat(5)}";`;
}
