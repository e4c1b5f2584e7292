/** Judges whether the providers would take a request, each of their rules on its own. */
import { fieldsOf, type Refusal, type Rule } from "#loopback";
import { adaptToApi, type HostMessage, isWhole } from "#pi";
import { loadLibrary } from "../pi-host.ts";
import { type Broken, withoutBroken } from "./excuses.ts";
import type { Sender, Wire, WireName } from "./wires.ts";

const { convertToLlm } = await loadLibrary();

export interface Verdict {
	readonly wire: WireName;
	readonly rule: Rule;
	readonly refusal: Refusal;
}

/** The broken exchanges of a session so far, by wire and rule. */
export type Excuses = Map<WireName, Map<Rule, Broken>>;

/**
 * The first refusal of a request that is the engine's fault. The history itself may break a rule: another program cut
 * an answer short, or an id came twice. Only the exchanges that break it are excused, not the rest of the request.
 */
export function judge(
	wire: Wire,
	sent: readonly HostMessage[],
	history: readonly HostMessage[],
	sender?: Sender,
	excuses: Excuses = new Map(),
): Verdict | undefined {
	if (isWhole(sent, history)) return undefined;
	const bodyOf = (messages: readonly HostMessage[], all: readonly HostMessage[]) =>
		fieldsOf(wire.body(convertToLlm(adaptToApi(wire.api, messages, all)), sender));
	const body = bodyOf(sent, history);
	for (const rule of wire.rules) {
		if (rule(body) === undefined) continue;
		const breaks = (all: readonly HostMessage[]) => rule(bodyOf(all, all)) !== undefined;
		const left = withoutBroken({ sent, history }, breaks, brokenBy(excuses, wire.name, rule));
		const refusal = rule(bodyOf(left.sent, left.history));
		if (refusal) return { wire: wire.name, rule, refusal };
	}
	return undefined;
}

function brokenBy(excuses: Excuses, wire: WireName, rule: Rule): Broken {
	const ofWire = excuses.get(wire) ?? new Map<Rule, Broken>();
	excuses.set(wire, ofWire);
	const broken = ofWire.get(rule) ?? new Set();
	ofWire.set(rule, broken);
	return broken;
}
