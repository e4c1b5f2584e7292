/** `npm run bench -- micro`: the time that managing a session adds to a request as the session grows, and that of our tools. */
import { loadTokenCounter, policyByName } from "#pi";
import { markdownTable } from "#replay";
import { defineBench, forEachStep, readChoice, readCount } from "../bench.ts";
import { describeMachine, today } from "../surroundings.ts";
import { generateSession } from "./generated-session.ts";
import { measureSession, type Row } from "./measure.ts";
import { formatTools, measureTools } from "./tools.ts";

/** The size of a typical system prompt and tools, in tokens. */
const FIXED = { system: 400, tools: 500 };
/** The last requests of each session are timed. */
const TIMED = 200;
const SEED = 1;

export const bench = defineBench({
	flags: {
		part: {
			type: "string",
			default: "requests",
			about: `requests (in generated sessions, against recounting the whole session), or tools (glob, grep and
git status, against rg and git)`,
		},
		messages: { type: "string", default: "100,1000,10000,100000", about: "requests: messages per session" },
		budget: {
			type: "string",
			default: "80000",
			about: "requests: tokens; all but the shortest session exceed it",
		},
		policy: { type: "string", default: "cwl", about: "requests: the policy of the sessions" },
		files: {
			type: "string",
			default: "100000",
			about: "tools: files of the tree that is made for it, three quarters of them ignored",
		},
		rounds: { type: "string", default: "9", about: "tools: runs of each program, in turns" },
	},
	notes: "The time of a request is without the tokenizer, and pi's own copy of the messages is not counted.",
	async run({ values, signal }) {
		const about = { date: today(), machine: describeMachine() };
		const { cpu, cores, system, node } = about.machine;
		const head = `${about.date}; ${cpu}, ${cores} cores, ${system}, Node ${node}`;
		if (readChoice("part", values.part, ["requests", "tools"]) === "tools") {
			const files = readCount("files", values.files, 100);
			const report = await measureTools({ files, rounds: readCount("rounds", values.rounds), signal });
			const text = () => [head, ...formatTools(report), ""].join("\n");
			return { figures: { version: 4, ...about, ...report }, text };
		}
		const lengths = values.messages.split(",").map((text) => readCount("messages", text.trim()));
		const budget = readCount("budget", values.budget);
		const policy = policyByName(values.policy);
		const settings = { budget, policy, fixed: FIXED, timed: TIMED, now: () => performance.now() };
		const count = await loadTokenCounter();
		const rows: Row[] = [];
		const shortestFirst = lengths.toSorted((a, b) => a - b);
		await forEachStep(shortestFirst, "sessions", signal, (length) => {
			rows.push(...measureSession(generateSession(length, SEED), count, settings));
		});
		return {
			figures: { version: 3, ...about, policy: policy.name, budget, seed: SEED, rows },
			text: () =>
				[
					head,
					`Policy ${policy.name}, budget ${budget} tokens, seed ${SEED}. A request: all that is added to it, but for the tokenizer.`,
					...formatRows(rows),
				].join("\n"),
		};
	},
});

function formatRows(rows: readonly Row[]): readonly string[] {
	const head = ["", "messages", "timed", "p50 ms", "p99 ms", "heap MB"];
	const milliseconds = (value: number) => value.toFixed(value < 10 ? 2 : 0);
	const cells = rows.map(({ name, messages, samples, p50Ms, p99Ms, heapMb }) => [
		...[name, String(messages), String(samples), milliseconds(p50Ms), milliseconds(p99Ms)],
		heapMb === null ? "" : heapMb.toFixed(1),
	]);
	return ["", ...markdownTable([head, ...cells]), ""];
}
