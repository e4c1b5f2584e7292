/** The needs that policies keep on recorded sessions, and their costs: with intervals, with and without the session that misses most. */
import { bootstrap, type GroundingKind, type Interval, type Report } from "#lab";

type Policy = Report["policies"][number];
type Session = Policy["bySession"][number];

/** The policy whose worst session is left out, and those that costs are compared with. */
const OWN = "cwl";
export const REFERENCES = ["paper", "paper-adapted"] as const;

export const kinds = ["edit", "editCross", "path", "ident"] as const satisfies readonly GroundingKind[];

/** A share between 0 and 1 with its 95 % interval. */
export interface Share {
	readonly value: number;
	/** Undefined with fewer than two sessions. */
	readonly interval: Interval | undefined;
}

export interface PolicyFigures {
	readonly policy: string;
	readonly kept: Readonly<Record<(typeof kinds)[number], Share>>;
	/** Needs of edits that it missed. */
	readonly missedEdits: number;
	/** Cost under pressure at Anthropic-like prices as a share of each reference; undefined where that was not replayed. */
	readonly cost: readonly (Share | undefined)[];
	/** The same with the requests that fetch missing content back. */
	readonly costWithRepair: readonly (Share | undefined)[];
	readonly repairs: number;
	/** Requests under pressure that were over the budget. */
	readonly overBudget: number;
	/** Calls that repeat one whose output was gone, as a share of the outputs that left; NaN if none left. */
	readonly faultRate: number;
}

export interface Figures {
	readonly budget: number;
	readonly sessions: number;
	/** The session in which `cwl` misses the most edits, if it misses any. */
	readonly worst: string | undefined;
	/** The edits that `cwl` misses, by the tool that showed their text last. */
	readonly causes: Session["missedEdits"];
	readonly all: readonly PolicyFigures[];
	readonly withoutWorst: readonly PolicyFigures[];
}

/** The figures of the sessions under pressure in a report of `cwl replay --json`. */
export function missFigures({ budget, policies }: Report): Figures {
	const own = policies.find(({ policy }) => policy === OWN) ?? policies[0];
	const pressed = own?.bySession.filter((session) => session.pressed !== null) ?? [];
	const [most] = pressed.toSorted((a, b) => missedEdits(b) - missedEdits(a));
	const worst = most && missedEdits(most) > 0 ? most.session : undefined;
	const figuresOf = (names: ReadonlySet<string>) =>
		policies.map((policy) => policyFigures(policy, policies, names));
	const names = new Set(pressed.map(({ session }) => session));
	const others = new Set([...names].filter((name) => name !== worst));
	return {
		...{ budget, sessions: names.size, worst, causes: own?.missedEdits ?? {} },
		...{ all: figuresOf(names), withoutWorst: figuresOf(others) },
	};
}

function missedEdits({ grounding: { edit } }: Session): number {
	return edit.needed - edit.kept;
}

function policyFigures(
	policy: Policy,
	policies: readonly Policy[],
	names: ReadonlySet<string>,
): PolicyFigures {
	const sessions = policy.bySession.filter(({ session }) => names.has(session));
	const references = REFERENCES.map((name) => policies.find((other) => other.policy === name));
	const costs = (of: (session: Session) => number) =>
		references.map((reference) => {
			const others = reference?.bySession.filter(({ session }) => names.has(session));
			return others && share(sessions.map((session, index) => pair(of, session, others[index])));
		});
	const kept = (kind: GroundingKind) =>
		share(sessions.map(({ grounding }) => [grounding[kind].kept, grounding[kind].needed]));
	const total = (of: (session: Session) => number) => sessions.reduce((sum, session) => sum + of(session), 0);
	return {
		policy: policy.policy,
		kept: {
			...{ edit: kept("edit"), editCross: kept("editCross") },
			...{ path: kept("path"), ident: kept("ident") },
		},
		missedEdits: total(missedEdits),
		cost: costs(({ pressed }) => pressed?.cost.anthropic ?? 0),
		costWithRepair: costs(({ pressed }) => pressed?.costWithRepair.anthropic ?? 0),
		repairs: total(({ pressed }) => pressed?.repair.requests ?? 0),
		overBudget: total(({ pressed }) => pressed?.overBudget ?? 0),
		faultRate: total(({ faults }) => faults.faults) / total(({ faults }) => faults.evicted),
	};
}

function pair(
	of: (session: Session) => number,
	own: Session,
	other: Session | undefined,
): readonly [number, number] {
	return [of(own), other ? of(other) : 0];
}

/** Sum of the first numbers by sum of the second ones. */
function share(rows: readonly (readonly [part: number, whole: number])[]): Share {
	const ratio = ([part = 0, whole = 0]: readonly number[]) => part / whole;
	const sum = (column: 0 | 1) => rows.reduce((total, row) => total + row[column], 0);
	return { value: ratio([sum(0), sum(1)]), interval: bootstrap({ rows, statistic: ratio }) };
}
