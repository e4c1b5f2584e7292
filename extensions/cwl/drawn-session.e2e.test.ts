/** Sessions that a seed draws: after each step of a user, all screens, the report of the shell and the model server name the same figures. */

import { expect, test } from "vitest";
import { sum } from "#basics";
import type { StateReport } from "#pi/health";
import { type Step, startDrawnSession, TALK } from "./test-support/drawn-session.ts";
import { expectOneReport } from "./test-support/reports.ts";
import { expectNear, expectOneTruth, readScreens } from "./test-support/screens.ts";
import { tokensIn } from "./test-support/wire-figures.ts";

/** `CWL_SEEDS` has others, such as `4,5,6`. */
const SEEDS = (process.env.CWL_SEEDS ?? "1,2,3").split(",").map(Number);
const LENGTH = 12;

/** Tokens that a message of the user, the state of git and notes of ours add at most. */
const MESSAGE = 400;

test.each(SEEDS)("all screens and the wire name the same figures in the drawn session %i", async (seed) => {
	const { trial, pi, run, draw, take } = await startDrawnSession(seed);
	const taken: Step[] = [];
	let last: StateReport | undefined;
	/** Tokens that the next request has at most besides the message, as a command said. */
	let most = 0;
	/** False until the next answer after a move in the tree, which pi writes to the file with it, and until the first one while cwl is off. */
	let isComparable = true;
	while (taken.length < LENGTH) {
		const step = taken.length < 2 ? "work" : draw();
		taken.push(step);
		const sentBefore = trial.loopback.records().length;
		const answer = await take(step, last);
		const requests = trial.loopback.records().slice(sentBefore);
		const isCut = step === "move" || step === "off";
		const isAnswered = requests.length > 0 && (step === "work" || step === "thank" || step === "talk");
		isComparable = isAnswered || (isComparable && !isCut);
		const screens = await readScreens(pi());
		const { state } = screens;
		try {
			expectOneTruth(screens);
			if (isComparable) await expectOneReport({ run }, pi());
			if (last) expectGrowth(last, state);
			if (last && step.startsWith("evict")) {
				const freed = sum(newPasses(last, state), ({ before, after }) => before - after);
				expectNear(last.pressure.used - state.pressure.used, freed, 60);
			}
			expect(requests.filter(({ droppedThinking }) => droppedThinking > 0)).toEqual([]);
			const [first] = requests;
			if (first && last && (step === "work" || step === "thank" || step === "talk")) {
				if (step !== "talk") expectAnnounced(last, state, first.promptTokens);
				if (step === "thank") expectNoSurprise(last, state);
				const message = step === "talk" ? MESSAGE + TALK : MESSAGE;
				if (most > 0) expect(first.promptTokens).toBeLessThan(1.02 * most + message);
				const end = requests.at(-1) ?? first;
				expectNear(state.pressure.used, end.promptTokens + end.outputTokens, 150);
			}
		} catch (error) {
			throw new Error(`after ${taken.join(", ")}: ${error instanceof Error ? error.message : error}`);
		}
		most = tokensIn(/at most all of its tokens \(~?([\d.]+k?)/, answer);
		last = state;
	}
});

/** The request has the size that was announced, or less with a likely pass; one that was certain came and took what was said. */
function expectAnnounced(before: StateReport, after: StateReport, sent: number) {
	const next = before.nextPasses.find(({ at }) => at === "next message");
	const { used, source } = before.pressure;
	const announced = used - (next?.freed ?? 0);
	const error = MESSAGE + (source === "estimated" ? 0.1 * used : 0);
	if (!next || next.effect) expectNear(sent, announced, error);
	else expect(sent).toBeLessThan(1.03 * announced + error);
	if (!next?.effect) return;
	const [pass] = newPasses(before, after);
	expectNear((pass?.before ?? 0) - (pass?.after ?? 0), next.freed, 60);
	expect(namesIn(pass?.strips)).toEqual(namesIn(next.strips));
}

/** Where no work comes, no pass comes that was not announced. */
function expectNoSurprise(before: StateReport, after: StateReport) {
	const made = newPasses(before, after);
	if (!before.nextPasses.some(({ at }) => at === "next message")) expect(made).toEqual([]);
}

function newPasses({ passes }: StateReport, after: StateReport) {
	const known = new Set(passes.map(({ number }) => number));
	return after.passes.filter(({ number }) => !known.has(number));
}

const namesIn = (strips: readonly { readonly episode: string }[] = []) =>
	[...new Set(strips.map(({ episode }) => episode))].toSorted();

/** The cost of a session, and the one that it would have had otherwise, never fall. */
function expectGrowth({ health: { costs: before } }: StateReport, { health: { costs: after } }: StateReport) {
	if (!before || !after) return;
	for (const arm of ["cwl", "compaction", "none"] as const)
		expect(after[arm].cost, arm).toBeGreaterThan(before[arm].cost - 0.0005);
}
