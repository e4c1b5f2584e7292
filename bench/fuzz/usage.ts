/** The usage that providers report, whose tokenizers are not ours, and what a session that is opened again learns from it. */
import { reportedTokens, sealedTokens } from "#core/ledger";
import { isAnswer, messagesOf, modelName } from "#pi/codec";
import { createTrafficMeter } from "#pi/requests";
import { readHistory } from "#pi/session";
import type { WireName } from "../strict/wires.ts";
import { type Sent, type World, wireOf } from "./world.ts";

/** Tokens that each provider counts for one of ours. */
const FACTORS: Readonly<Record<WireName, number>> = {
	anthropic: 1.8,
	responses: 1.3,
	completions: 0.8,
	google: 1.1,
};

/** The provider's count of a request; sealed thinking is as large as estimated. One that is sent whole teaches nothing about those that are managed. */
export function countByProvider(world: World, sent: Sent | undefined): number {
	const factor = FACTORS[world.settings.wire];
	if (!sent?.isManaged) return Math.round(factor * JSON.stringify(world.file.context()).length);
	const { counted, sealed } = countSent(world, sent);
	return Math.round(factor * (counted - sealed) + sealed);
}

/**
 * Throws if a session that was opened from its file estimates the request that it sent otherwise than its provider
 * counts it, although answers of that model have told.
 */
export function checkRelearned(world: World, sent: Sent) {
	const { file, session } = world;
	const branch = file.branch();
	const times = messagesOf(branch).flatMap((message) => (isAnswer(message) ? message.timestamp : []));
	// pi's answers come milliseconds apart, and their times tell them apart.
	if (new Set(times).size < times.length) return;
	const meter = createTrafficMeter();
	const messages = file.context();
	meter.relearn(
		session.recount(readHistory(branch, messages), () => sent.settings.fixed),
		messages,
	);
	const calibration = meter.calibration(nameOf(world));
	if (calibration.samples === 0) return;
	const expected = countByProvider(world, sent);
	const { counted, sealed } = countSent(world, sent);
	const estimate = reportedTokens(calibration, counted, sealed);
	// An estimate may be off by a share, and by some tokens.
	if (Math.abs(estimate - expected) > 0.02 * expected + 30)
		throw new Error(`a rebuilt session expects ${estimate} tokens of a request of ${expected}`);
}

function nameOf(world: World): string {
	return modelName(wireOf(world).sender);
}

/** Our count of a request, and the part of it that is sealed thinking; thinking of other models is not sent. */
function countSent(world: World, { tokens }: Sent) {
	const { graph, view } = world.session.state();
	const { sent, unsent } = sealedTokens(graph, view, nameOf(world));
	return { counted: tokens - unsent, sealed: sent };
}
