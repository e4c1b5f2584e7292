/** The usage that providers report, whose tokenizers are not ours, and what a session that is opened again learns from it. */
import { reportedTokens, sealedTokens } from "#core/ledger";
import { type HostMessage, modelName } from "#pi/codec";
import { createTrafficMeter } from "#pi/requests";
import { type ManagedSession, readHistory } from "#pi/session";
import type { WireName } from "../strict/wires.ts";
import type { Sent, World } from "./world.ts";

/** Tokens that each provider counts for one of ours. */
const FACTORS: Readonly<Record<WireName, number>> = {
	anthropic: 1.8,
	responses: 1.3,
	completions: 0.8,
	google: 1.1,
};

/** The provider's count of a request that was sent under management; sealed thinking is as large as estimated. */
export function countByProvider({ wire }: Pick<World, "wire">, session: ManagedSession, { tokens }: Sent) {
	const { counted, sealed } = countSent({ wire }, session, tokens);
	return Math.round(FACTORS[wire.name] * (counted - sealed) + sealed);
}

/** The usage of a request that was sent whole, which teaches nothing about one that is managed. */
export function countWhole({ wire, file }: Pick<World, "wire" | "file">): number {
	return Math.round(FACTORS[wire.name] * JSON.stringify(file.context()).length);
}

/** The share by which an estimate may be off, and the tokens by which it may be besides. */
const TOLERANCE = { share: 0.02, tokens: 30 };

/**
 * Throws if a session that was opened from its file estimates the request that it sent otherwise than its provider
 * counts it, although answers of that model have told.
 */
export function checkRelearned(
	world: World,
	session: ManagedSession,
	messages: readonly HostMessage[],
	{ tokens, settings }: Sent,
) {
	const branch = world.file.branch();
	const times = branch.flatMap((entry) =>
		entry.type === "message" && entry.message.role === "assistant" ? [entry.message.timestamp] : [],
	);
	// pi's answers come milliseconds apart, and their times tell them apart.
	if (new Set(times).size < times.length) return;
	const meter = createTrafficMeter();
	meter.relearn(session.recount(readHistory(branch, messages), settings.fixed), messages);
	const calibration = meter.calibration(nameOf(world));
	if (calibration.samples === 0) return;
	const { counted, sealed } = countSent(world, session, tokens);
	const expected = FACTORS[world.wire.name] * (counted - sealed) + sealed;
	const estimate = reportedTokens(calibration, counted, sealed);
	if (Math.abs(estimate - expected) > TOLERANCE.share * expected + TOLERANCE.tokens) {
		throw new Error(
			`usage: a rebuilt session expects ${estimate} tokens of a request that weighs ${Math.round(expected)}`,
		);
	}
}

const nameOf = ({ wire }: Pick<World, "wire">) => modelName(wire.sender.provider, wire.sender.model);

/** Our count of a request, and the part of it that is sealed thinking; thinking of other models is not sent. */
function countSent(world: Pick<World, "wire">, session: ManagedSession, tokens: number) {
	const { graph, view } = session.state();
	const { sent, unsent } = sealedTokens(graph, view, nameOf(world));
	return { counted: tokens - unsent, sealed: sent };
}
