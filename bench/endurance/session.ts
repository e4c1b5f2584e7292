/** An endless session of user turns and episodes, as pi's messages. */
import { DELIMITER } from "#core/annotation";
import type { HostMessage } from "#pi";
import { assistantMessage } from "../assistant-message.ts";

/** Answers between two user turns. */
const ANSWERS_PER_TURN = 25;
const LINES_PER_OUTPUT = 60;

/**
 * The messages around an answer, counted from 0: the user turn if there is one, the answer, and the results of its
 * calls.
 */
export function messagesOf(answer: number): readonly HostMessage[] {
	const timestamp = answer * 10;
	const asks = answer % ANSWERS_PER_TURN === 0;
	const turn: HostMessage = { role: "user", content: `Please look at part ${answer} next.`, timestamp };
	const calls = callsOf(answer);
	const content = [{ type: "text" as const, text: `Step ${answer}.` }, ...calls];
	const said = assistantMessage(content, { timestamp: timestamp + 1 });
	const results = calls.map(({ id, name }, index): HostMessage => {
		const text = name === DELIMITER ? "ok" : outputOf(answer);
		const at = timestamp + 2 + index;
		return {
			role: "toolResult",
			toolCallId: id,
			toolName: name,
			content: [{ type: "text", text }],
			isError: false,
			timestamp: at,
		};
	});
	return [...(asks ? [turn] : []), said, ...results];
}

/** Four answers make an expl, the next four an act that depends on it. */
function callsOf(answer: number) {
	const call = (at: number, name: string, args: Record<string, unknown>) => ({
		type: "toolCall" as const,
		id: `toolu_${answer}_${at}`,
		name,
		arguments: args,
	});
	const cycle = Math.floor(answer / 8);
	const step = answer % 8;
	const work = call(9, step < 4 ? "read" : "edit", { path: `src/part-${answer}.ts` });
	if (step === 0) return [call(0, DELIMITER, { action: "start", name: `look ${cycle}`, type: "expl" }), work];
	if (step === 3)
		return [work, call(0, DELIMITER, { action: "end", description: `part ${cycle} holds the parser` })];
	if (step === 4) {
		const start = { action: "start", name: `fix ${cycle}`, type: "act", dependencies: [`look ${cycle}`] };
		return [call(0, DELIMITER, start), work];
	}
	return step === 7 ? [work, call(0, DELIMITER, { action: "end" })] : [work];
}

function outputOf(answer: number): string {
	return Array.from(
		{ length: LINES_PER_OUTPUT },
		(_, line) => `export const value${line} = ${answer * line};`,
	).join("\n");
}
