/** A session of the Messages API that grows by one exchange a request. */
import { seededRandom } from "#core";

/** Characters of a file that one call reads; about 500 tokens of code-like text. */
const RESULT_LENGTH = 2_000;
/** Measured for this text with o200k. */
const CHARACTERS_PER_TOKEN = 4;

const words =
	"const return function import export session tokens budget message content result { } ( ) => ; , =".split(
		" ",
	);

export interface Requests {
	next(): Buffer;
}

/** The first request has about so many tokens. Each seed is another session. */
export function createRequests(tokens: number, seed = 1): Requests {
	const random = seededRandom(seed);
	const messages: object[] = [{ role: "user", content: `Fix test ${seed}.` }];
	const text = () => {
		let said = "";
		while (said.length < RESULT_LENGTH) {
			said += `${words[Math.floor(random() * words.length)]}${random() < 0.1 ? "\n\t" : " "}`;
		}
		return said;
	};
	const grow = () => {
		const id = `toolu_${messages.length}`;
		const path = `src/part${messages.length % 50}.ts`;
		messages.push(
			{ role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path } }] },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text() }] },
		);
	};
	for (let n = 0; n < (tokens * CHARACTERS_PER_TOKEN) / RESULT_LENGTH; n += 1) grow();
	return {
		next() {
			grow();
			return Buffer.from(JSON.stringify({ model: "m", max_tokens: 1_000, messages }));
		},
	};
}
