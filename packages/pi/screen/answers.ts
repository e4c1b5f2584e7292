/**
 * The three answers that every screen begins with: whether anything is wrong, what cwl saved, what leaves next. Panel, `/cwl`,
 * `/cwl health` and `/cwl plan` take their sentences from here.
 */
import { countOf, formatTokens, percent } from "#basics";
import type { Alert } from "../health/alert.ts";
import { type ArmCost, dollars, type SessionCosts } from "../health/health-report.ts";
import type { Due, KeptOutput, Moment, NextPass } from "../health/next-passes.ts";
import type { OutputWorth } from "../health/output-worth.ts";
import type { StateReport } from "../health/state-report.ts";
import { showTokens } from "./sizes.ts";

/** Says in one sentence what is open and what helps. */
export function alertText({ text, remedy }: Pick<Alert, "text" | "remedy">): string {
	return `${text}; ${remedy}.`;
}

/** The requests while cwl is off, when it lets pi compact. Thinking that an earlier change made invalid stays away for good. */
export const WHILE_OFF =
	"every request sends all that pi has not compacted, except for thinking that the provider would refuse, and pi may compact by itself";

/** Names the gravest alert, if there is one. */
export function answerHealth({ alerts, settings }: Pick<StateReport, "alerts" | "settings">): string {
	if (settings.enabled !== "true") return `cwl is off: ${WHILE_OFF}. /cwl on.`;
	const [gravest] = alerts;
	if (!gravest) return "No alerts.";
	const more = alerts.length > 1 ? ` ${alerts.length - 1} more: /cwl health.` : "";
	return `${gravest.grade}: ${alertText(gravest)}${more}`;
}

/** A difference below this share of the cost is none. */
const SAME = 0.001;

/** Compares the cost of the session with pi's compaction and with no eviction. `requests` are those answered so far. */
export function answerSaving(costs: SessionCosts | null, requests: number): string {
	if (requests === 0) return "Savings: none before the first answer.";
	if (!costs) return "Savings: not worked out yet: /cwl health does it.";
	const { cwl, compaction, none, elsewhere, setbacks } = costs;
	const against = (other: ArmCost, name: string) => {
		const money = other.cost - cwl.cost;
		const tokens = other.tokens - cwl.tokens;
		if (Math.abs(money) < SAME * other.cost) return `as much as ${name}`;
		return `${dollars(Math.abs(money))} ${money < 0 ? "more" : "less"} than ${name} (${formatTokens(Math.abs(tokens))} tokens ${tokens < 0 ? "more" : "less"})`;
	};
	const asOf = costs.requests === requests ? "" : ` as of model call ${costs.requests} of ${requests}`;
	const here = elsewhere > 0 ? " on this branch" : "";
	const total = `${dollars(cwl.cost)}${asOf}${here && ` (${dollars(cwl.cost - elsewhere)} of it${here})`}`;
	if (setbacks.passes === 0) return `Cost ${total}: no pass yet, so nothing was saved${here}.`;
	const withPi = `with pi's compaction at ${formatTokens(costs.budget)}`;
	const compared = `${against(compaction, withPi)} and ${against(none, "without eviction")}`;
	const isDearer = [compaction, none].some(({ cost }) => cwl.cost - cost >= SAME * cost);
	// The setbacks are those of now.
	return `Cost ${total}: ${compared}.${isDearer && asOf === "" ? describeSetbacks(setbacks) : ""}`;
}

/** Names what the session records of why it cost more. */
function describeSetbacks({ offRequests, undone, uncached }: SessionCosts["setbacks"]): string {
	const facts = [
		...(offRequests > 0 ? [`cwl was off for ${countOf(offRequests, "request")}`] : []),
		...(undone > 0 ? [`${countOf(undone, "pass", "passes")} taken back`] : []),
		...(uncached > 0 ? [`${countOf(uncached, "request")} that read nothing from the cache`] : []),
	];
	return facts.length === 0 ? "" : ` On this branch: ${facts.join(", ")}.`;
}

/** Says what leaves next, and when. */
export function answerNext({
	nextPasses,
	pressure,
	settings,
}: Pick<StateReport, "nextPasses" | "pressure" | "settings">): string {
	const { used, budget, source } = pressure;
	const isKnown = source === "reported";
	const size = showTokens(used, isKnown);
	if (settings.enabled !== "true")
		return `Next: the request sends all ${size} tokens; no pass is made until /cwl on.`;
	const [next] = nextPasses;
	if (next) return `Next, ${describeNextPass(next, isKnown)}.`;
	return `Next: nothing is due to leave of the ${size} of ${formatTokens(budget)} tokens.`;
}

/** The passes after the nearest one, a line each: what may come in its place, and what comes after it where it is certain. */
export function answerLater(nextPasses: readonly NextPass[], isKnown: boolean): readonly string[] {
	const [next, ...others] = nextPasses;
	const isCertain = next?.at === "next request" || next?.at === "next message";
	const first = others.find(({ at }) => isCertain && at !== "cold cache");
	const effects = nextPasses.map((pass) => describeEffect(pass, isKnown));
	return others.flatMap((pass, place) => {
		// What undo brought back or a recall found here leaves after a pass that takes other work.
		const isRest = pass.at === "no room" && !pass.isInstead && nextPasses[place]?.at === "full";
		const isAfter = pass === first || isRest;
		const link = isAfter ? "Later," : "Or,";
		const effect = effects[place + 1];
		const isSame = effect === effects[place] && partsOf(pass) === partsOf(nextPasses[place]);
		if (pass.isInstead && isSame) return [];
		const said = !isAfter && isSame ? "the same" : effect;
		const when = pass.isInstead
			? "if nothing newer can leave by then"
			: momentText(pass, (tokens) => showTokens(tokens, isKnown));
		return `${link} ${when}: ${said}.`;
	});
}

/** The parts of a pass by name; passes of the same size may take others. */
function partsOf(pass: NextPass | undefined): string {
	return [...(pass?.strips ?? []), ...(pass?.reductions ?? [])].map(({ episode }) => episode).join();
}

/** `at your next message: 14k tokens of 6 outputs leave`. */
export function describeNextPass(next: NextPass, isKnown: boolean): string {
	return `${momentText(next, (tokens) => showTokens(tokens, isKnown))}: ${describeEffect(next, isKnown)}`;
}

type Effect = Pick<NextPass, "freed" | "effect">;

/** `14k tokens of 6 outputs leave`, or `likely 11k tokens leave` for a pass that work comes before or a message may change. */
export function describeEffect({ freed, effect }: Effect, isKnown: boolean): string {
	const show = (tokens: number) => showTokens(tokens, isKnown);
	if (!effect) return `likely ${show(freed)} tokens leave`;
	const { thinking, outputs, episodes } = effect;
	const ofThem = thinking > 0 ? ` (${show(thinking)} of them thinking)` : "";
	const parts = outputs > 0 ? countOf(outputs, "output") : countOf(episodes, "episode");
	return `${show(freed)} tokens of ${parts} leave${ofThem}`;
}

/** `src/a.ts, edited two turns ago, in unfinished work (may leave within 2.4k tokens)`: what the nearest pass keeps, and until when. */
export function keptText({ leaves, ...worth }: KeptOutput, show: (tokens: number) => string): string {
	return leaves ? `${worthText(worth)} (may leave ${momentText(leaves, show)})` : worthText(worth);
}

/** `src/a.ts, edited two turns ago`: an output and what keeps it. */
export function worthText({ output, did, turns, keptBy, chance }: OutputWorth): string {
	const share = percent(chance, " %");
	const reasons = {
		held: ", in unfinished work",
		mark: ", marked by the model to be kept",
		pinned: ", pinned",
		spared: ", of work that was asked for again",
		chance: `, with a chance of ${share} that it is needed again`,
		note: "",
		leaves: ", not worth its price",
	};
	return `${output}, ${did} ${agoText(turns)}${reasons[keptBy ?? "leaves"]}`;
}

const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

function agoText(turns: number): string {
	if (turns === 0) return "in this turn";
	return turns === 1 ? "in the last turn" : `${numbers[turns] ?? turns} turns ago`;
}

const moments: Readonly<Record<Exclude<Moment, "full" | "no room" | "cold cache">, string>> = {
	"next request": "at the next request",
	"next message": "at your next message",
	"next expl": "when the model marks its next expl",
};

/** When a pass comes. */
export function momentText({ at, dueIn, idle }: Due, show: (tokens: number) => string): string {
	if (at === "cold cache") return `after ${countOf(idle, "minute")} without a request`;
	const due = dueIn > 0 ? `within ${show(dueIn)} tokens` : "with the next results";
	if (at === "full") return due;
	return at === "no room" ? `${due} if nothing newer can leave` : moments[at];
}
