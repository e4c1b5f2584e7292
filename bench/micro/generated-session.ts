/** Generates annotated sessions of any length for measurements. */
import type { HostMessage } from "#pi/codec";
import * as make from "../../packages/pi/test-support/host-messages.ts";

/** Exchanges of an episode. */
const EPISODE = 5;
/** Longer sessions have longer turns, not more of them: user turns are never evicted, and hundreds of them would fill any budget. */
const MAX_TURNS = 100;
const FILES = 80;
/** Sizes of outputs in tokens: most are short, a few very long, as in recorded sessions. */
const SIZES = [40, 80, 150, 300, 300, 600, 1_200, 9_000];

/** The first `length` messages, and those up to where the next request would be sent. */
export function generateSession(length: number): readonly HostMessage[] {
	const messages: HostMessage[] = [];
	const add = (message: HostMessage) => messages.push({ ...message, timestamp: messages.length });
	const turn = Math.max(20, Math.ceil(length / MAX_TURNS));
	for (let exchange = 0; messages.length < length; exchange += 1) {
		if (exchange % turn === 0) add(make.user(prose(100)));
		const file = (exchange * 7) % FILES;
		const path = `src/part${file}.ts`;
		const isExpl = Math.floor(exchange / EPISODE) % 2 === 0;
		const edits = [{ oldText: code(file, 30), newText: code(file + 1, 60) }];
		const use = isExpl ? make.calls("", "read", { path }) : make.calls("", "edit", { path, edits });
		const calls = [...(exchange % EPISODE === 0 ? marks(exchange / EPISODE) : []), use];
		const made = calls.map((call, at) => ({ ...call, id: `call_${exchange}_${at}` }));
		add(make.reply(made));
		for (const { id } of made.slice(0, -1)) add(make.result(id, [make.words("ok")]));
		const shown = isExpl ? code(file, SIZES[exchange % SIZES.length] ?? 0) : `changed ${path}`;
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

/** Text of five characters per token. */
const prose = (tokens: number): string => "look at the parser ".repeat(40).slice(0, tokens * 5);
