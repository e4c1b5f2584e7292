/** The recorded session of the demo, replayed under cwl, under pi's compaction and without eviction. */
import { join } from "node:path";
import { packageDirectory } from "#pi";
import { countedTexts, type HostMessage, toolCallsOf } from "#pi/codec";
import { createReport } from "#replay/report";
import { createLocalRunner, openReplay, type ReplayedRequest, runReplays } from "#replay/run";

/** The model whose prices the figures have; a list price, so that no pi is needed. */
export const MODEL = "anthropic/claude-sonnet-4-6";
const ARMS = ["cwl", "compaction", "none"] as const;
const NAMES = { cwl: "cwl", compaction: "pi's compaction", none: "no eviction" } as const;

export interface DemoStep {
	/** The messages since the step before, oldest first. */
	readonly messages: readonly HostMessage[];
	/** Tokens that the request would have without eviction. */
	readonly none: number;
	/** The context in tokens before and after the pass that cwl made for this request. */
	readonly pass: ReplayedRequest["pass"];
}

export type Demo = NonNullable<Awaited<ReturnType<typeof replayDemo>>>;

/** Replays the recording under a budget in tokens; undefined when the signal fires before the end. */
export async function replayDemo(budget: number, signal: AbortSignal) {
	const setup = await openReplay({
		policies: ARMS.join(","),
		budgets: [budget],
		isSweep: false,
		models: [MODEL],
		withContexts: true,
	});
	const requests = new Map<string, ReplayedRequest[]>(ARMS.map((arm) => [arm, []]));
	const run = await runReplays({
		paths: [join(packageDirectory(), "docs", "sample.jsonl")],
		createRunners: () => [
			createLocalRunner(setup, ({ name }, request) => void requests.get(name)?.push(request)),
		],
		signal,
		onProgress: () => undefined,
	});
	const report = createReport(run, setup.settings);
	if (report.interrupted) return undefined;
	const sizesOf = (arm: number) => run.replays[0]?.results[arm]?.contexts ?? [];
	const lastOf = (arm: (typeof ARMS)[number]) => requests.get(arm)?.at(-1);
	const history = lastOf("none")?.messages ?? [];
	const said = history.filter(isUser).map(textOf);
	const arms = ARMS.map((arm, index) => {
		const kept = new Set((lastOf(arm)?.messages ?? []).filter(isUser).map(textOf));
		return {
			name: NAMES[arm],
			dollars: report.policies[index]?.dollars[MODEL] ?? 0,
			/** Tokens. */
			largest: Math.max(0, ...sizesOf(index)),
			userMessagesKept: said.filter((text) => kept.has(text)).length,
		};
	});
	return {
		steps: stepsOf(requests.get("cwl") ?? [], sizesOf(2)),
		budget,
		figures: {
			model: MODEL,
			requests: requests.get("cwl")?.length ?? 0,
			userMessages: said.length,
			arms,
			lost: findLost(history, lastOf("compaction"), lastOf("cwl")),
		},
	};
}

function stepsOf(requests: readonly ReplayedRequest[], none: readonly number[]): readonly DemoStep[] {
	let seen = 0;
	return requests.map(({ history, turn, pass, index }) => {
		const messages = [...history.slice(seen), turn.reply];
		seen = history.length + 1;
		return { messages, pass, none: none[index] ?? 0 };
	});
}

const isUser = ({ role }: HostMessage) => role === "user";
const textOf = (message: HostMessage) => countedTexts(message).join("\n");

/** Lines shorter than this stand in many files. */
const MIN_LINE = 40;

/** The first file that was read whose text compaction's last request lacks, and that a recall under cwl brings back. */
function findLost(
	history: readonly HostMessage[],
	compaction: ReplayedRequest | undefined,
	cwl: ReplayedRequest | undefined,
) {
	const sent = [compaction, cwl].flatMap((request) => (request?.messages ?? []).map(textOf)).join("\n");
	let task = "";
	for (const message of history) {
		if (isUser(message)) task = textOf(message).split("\n", 1)[0] ?? "";
		for (const call of toolCallsOf(message)) {
			if (call.name !== "read") continue;
			const path = String(call.arguments.path);
			const result = history.find((other) => other.role === "toolResult" && other.toolCallId === call.id);
			const lines = result === undefined ? [] : textOf(result).split("\n");
			const page = cwl?.recall?.(path) ?? "";
			const line = lines.find(
				(text) => text.length >= MIN_LINE && page.includes(text) && !sent.includes(text),
			);
			if (line !== undefined) return { task, path, line };
		}
	}
	return undefined;
}
