/** Alerts about evicted content that the agent reads again. */
import type { Regret, RunningHealth } from "#core/health";
import { nameText } from "#core/projection";
import { digestOf } from "#core/transcript";
import { type Alert, type Show, type Standing, shortName } from "./alert.ts";

/** The same read again so often after passes took it is a loop, and soon one that eats the session. */
const LOOP = 3;
const BAD_LOOP = 5;
/** Rereading content costs less than keeping it when it takes less than this share of the budget. */
const LOOP_SHARE = 0.05;
/** Of what a pass took, the share that was read again. */
const REGRETTED_SHARE = 0.2;
/** More passes than these are counted instead of listed. */
const MAX_PASSES = 4;

interface Loop {
	readonly subject: string;
	readonly regrets: readonly Regret[];
	readonly times: number;
	readonly tokens: number;
}

/**
 * Finds content that is read, evicted and read again. Reports only the worst case, since the remedy is the same for
 * all.
 */
export function findLoops(
	{ graph, budget }: Standing,
	regrets: readonly Regret[],
	show: Show,
): readonly Alert[] {
	const loops = groupLoops(regrets).filter(
		({ times, tokens }) => times >= LOOP && tokens >= LOOP_SHARE * budget,
	);
	const [worst] = loops.toSorted((a, b) => b.tokens - a.tokens);
	if (!worst) return [];
	const isBad = loops.some(({ times }) => times >= BAD_LOOP);
	const passes = [...new Set(worst.regrets.map(({ pass }) => pass))].toSorted((a, b) => a - b);
	const took =
		passes.length > MAX_PASSES
			? `${passes.length} passes`
			: `${passes.length === 1 ? "pass" : "passes"} ${passes.join(", ")}`;
	const more = loops.length > 1 ? `, and ${loops.length - 1} more like it` : "";
	const last = worst.regrets.at(-1)?.call.id;
	const home = graph.episodes.findLast(({ items }) => items.some(({ id }) => id === last));
	return [
		{
			id: isBad ? "bad-loop" : "loop",
			grade: isBad ? "critical" : "warning",
			text: `${shortName(worst.subject)} was read again ${worst.times} times after ${took} took it, ${show(worst.tokens)} tokens${more}`,
			remedy: `/cwl budget raises the budget${home ? `, /cwl pin ${nameText(home.name)} keeps it` : ""}`,
		},
	];
}

function groupLoops(regrets: readonly Regret[]): readonly Loop[] {
	const groups = new Map<string, Regret[]>();
	for (const regret of regrets) {
		const subject = subjectOf(regret);
		groups.set(subject, [...(groups.get(subject) ?? []), regret]);
	}
	return [...groups].map(([subject, all]) => ({
		subject,
		regrets: all,
		times: Math.max(...all.map(({ times }) => times)),
		tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
	}));
}

/** The file that a call was about, else the call itself. */
function subjectOf({ call }: Regret): string {
	const { tool, arguments: args } = call;
	const words = Object.values(args).filter((value) => typeof value === "string");
	return digestOf(call)?.paths[0] ?? [tool, ...words].join(" ");
}

export function findRegretted({ regret }: RunningHealth, show: Show): readonly Alert[] {
	const worst = regret.passes
		.filter(({ taken, regretted }) => regretted > REGRETTED_SHARE * taken)
		.toSorted((a, b) => b.regretted - a.regretted)[0];
	if (!worst) return [];
	const share = Math.round((100 * worst.regretted) / worst.taken);
	return [
		{
			id: `regret ${worst.pass}`,
			grade: "notice",
			text: `${show(worst.regretted)} tokens (${share} %) of what pass ${worst.pass} took were read again`,
			remedy: "what was read again weighs more from now on; lowWater quality or a larger budget keeps more",
		},
	];
}
