/** Replays sessions whose marks are damaged in several ways, and sums up cost and what stays in sight. */
import { seededRandom } from "#core";
import {
	annotateMessages,
	createReport,
	type LabSettings,
	openLab,
	openRecording,
	planRuns,
	type RecordedSession,
	readSession,
	replayRecording,
	type SessionReplay,
	writeMarks,
} from "#lab";
import { damageMarks, type Fault } from "./damage-marks.ts";

/** One way of marking a session. */
export interface Variant {
	readonly marks: "intact" | "inferred" | Fault;
	/** Of the marks that the fault can damage. */
	readonly share: number;
}

/** Under requests of pressure only. */
export interface RobustnessRow extends Variant {
	readonly policy: string;
	/** Compared with `none` on the same requests; Anthropic-like prices. */
	readonly cost: number;
	readonly editsKept: number;
	readonly editsNeeded: number;
	readonly overBudget: number;
	readonly requests: number;
	/** Over all requests. */
	readonly prefixBreaks: number;
}

export interface RobustnessFigures {
	readonly budget: number;
	readonly seed: number;
	readonly rows: readonly RobustnessRow[];
	/** Tokens of the marks and their results, and of the same sessions with them. */
	readonly markTokens: number;
	readonly tokens: number;
	readonly markedSessions: number;
}

export function variantsFor(damages: readonly Fault[], shares: readonly number[]): readonly Variant[] {
	return [
		{ marks: "intact", share: 0 },
		...damages.flatMap((marks) => shares.map((share) => ({ marks, share }))),
		{ marks: "inferred", share: 1 },
	];
}

/** A row for each variant and policy; `none` is replayed with them. */
export async function measureRobustness(
	files: readonly string[],
	variants: readonly Variant[],
	settings: LabSettings,
	seed: number,
	signal: AbortSignal,
	onProgress: (done: number, file: string) => void,
): Promise<Pick<RobustnessFigures, "rows" | "markTokens" | "tokens" | "markedSessions">> {
	const lab = await openLab(settings);
	const replays = variants.map((): SessionReplay[] => []);
	for (const [done, file] of files.entries()) {
		onProgress(done, file);
		const session = await readSession(file, undefined);
		for (const [index, variant] of variants.entries()) {
			const recording = openRecording(markAs(session, variant, seed), lab.count, "recorded");
			const replay = await replayRecording(recording, session.name, lab, signal);
			if (replay) replays[index]?.push(replay);
		}
	}
	onProgress(files.length, "");
	const tokensOf = (marks: Variant["marks"]) => {
		const own = replays[variants.findIndex((variant) => variant.marks === marks)] ?? [];
		return own.reduce((total, replay) => total + replay.tokens, 0);
	};
	const rows = variants.flatMap((variant, index) => {
		const own = replays[index] ?? [];
		const run = {
			replays: own,
			damage: [],
			problems: [],
			isInterrupted: signal.aborted,
			planned: own.length,
		};
		const { policies } = createReport(run, { ...lab, models: [], chaining: undefined });
		const none = policies.find(({ policy }) => policy === "none")?.pressed?.cost.anthropic ?? 0;
		return policies.flatMap(({ policy, pressed, grounding, prefixBreaks }): RobustnessRow[] => {
			if (policy === "none" || !pressed || none === 0) return [];
			const { kept, needed } = grounding.edit;
			return [
				{
					...variant,
					policy,
					cost: pressed.cost.anthropic / none,
					...{ editsKept: kept, editsNeeded: needed },
					...{ overBudget: pressed.overBudget, requests: pressed.requests, prefixBreaks },
				},
			];
		});
	});
	const tokens = tokensOf("intact");
	const markedSessions = replays[0]?.length ?? 0;
	return { rows, markTokens: tokens - tokensOf("inferred"), tokens, markedSessions };
}

/** The session as its model would have marked it. */
function markAs(session: RecordedSession, { marks, share }: Variant, seed: number): RecordedSession {
	const bare = annotateMessages(session.messages, "inferred");
	if (marks === "inferred") return { ...session, messages: bare };
	const planned = planRuns(bare);
	const episodes = marks === "intact" ? planned : damageMarks(planned, marks, share, seededRandom(seed));
	return { ...session, messages: writeMarks(bare, episodes) };
}
