/** Generates annotated sessions of any length for measurements: the same for the same seed, with outputs of the sizes that recorded sessions have. */

import type { HostMessage } from "#pi/codec";
import { seededRandom } from "#testing/worker";
import * as make from "../../packages/pi/test-support/host-messages.ts";

/** Exchanges of an episode. */
const EPISODE = 5;
/** Longer sessions have longer turns, not more of them: user turns are never evicted, and hundreds of them would fill any budget. */
const MAX_TURNS = 100;
const FILES = 80;

/** The first `length` messages of a seed's session, and those up to where the next request would be sent. */
export function generateSession(length: number, seed: number): readonly HostMessage[] {
	const random = seededRandom(seed);
	const messages: HostMessage[] = [];
	const add = (message: HostMessage) => messages.push({ ...message, timestamp: messages.length });
	/** Output of a size that is log-normal in tokens. */
	const output = (start: number, median: number) => {
		const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
		return code(start, Math.min(30_000, median * Math.exp(1.5 * normal)));
	};
	const turn = Math.max(20, Math.ceil(length / MAX_TURNS));
	for (let exchange = 0; messages.length < length; exchange += 1) {
		if (exchange % turn === 0) add(make.user(prose(60 + 100 * random())));
		// Some files are used far more often than others.
		const file = Math.floor(FILES * random() ** 2);
		const path = `src/part${file}.ts`;
		const isExpl = Math.floor(exchange / EPISODE) % 2 === 0;
		const edit = { path, edits: [{ oldText: code(file, 30), newText: output(file + 1, 60) }] };
		const use = isExpl || random() < 0.3 ? make.calls("", "read", { path }) : make.calls("", "edit", edit);
		const calls = [...(exchange % EPISODE === 0 ? marks(exchange / EPISODE) : []), use];
		const made = calls.map((call, at) => ({ ...call, id: `call_${exchange}_${at}` }));
		add(make.reply([...(random() < 0.3 ? [make.thinks(prose(80))] : []), ...made]));
		for (const { id } of made.slice(0, -1)) add(make.result(id, [make.words("ok")]));
		const shown = isExpl ? output(file, 300) : `changed ${path}`;
		add(make.result(made.at(-1)?.id ?? "", [make.words(shown)]));
	}
	return messages;
}

/** Ends the episode before this one and starts it: an expl, or an act that builds on the expl before. */
function marks(episode: number): readonly make.ModelBlock[] {
	const isExpl = episode % 2 === 0;
	const dependencies = [`step-${episode - 1}`];
	const start = { action: "start", name: `step-${episode}`, type: isExpl ? "expl" : "act" };
	const end = { action: "end", ...(!isExpl && { description: prose(30) }) };
	return [
		...(episode > 0 ? [make.calls("", "delimiter", end)] : []),
		make.calls("", "delimiter", isExpl ? start : { ...start, dependencies }),
	];
}

const listing = Array.from({ length: 8_000 }, (_, line) => {
	return `export const value_${line} = compute(alpha${line % 37}, "${line * 7919}", beta.of(${line}));\n`;
}).join("");

/** The beginning of a file, of 3.3 characters per token: a second read shows the same lines. */
function code(file: number, tokens: number): string {
	const start = listing.indexOf("export", (file * 5_003) % (listing.length / 2));
	return listing.slice(start, start + Math.ceil(tokens * 3.3));
}

const words =
	"look at how the parser treats an empty line and why the second pass then fails with a wrong offset ";

/** Text of five characters per token. */
const prose = (tokens: number): string => words.repeat(400).slice(0, tokens * 5);
