/** Whether the providers would take a request: each rule of theirs on its own. */
import { convertToLlm } from "@mariozechner/pi-coding-agent";
import { fieldsOf, type Refusal, type Rule } from "#loopback";
import { adaptToApi, type HostMessage, isWhole } from "#pi";
import type { Sender, Wire, WireName } from "./wires.ts";

export interface Verdict {
	readonly wire: WireName;
	readonly rule: Rule;
	readonly refusal: Refusal;
}

/**
 * What a provider refuses of a request although it would have taken the whole history. What the history itself breaks
 * (an answer that another program cut short, an id that came twice) is not held against the request.
 */
export function judge(
	wire: Wire,
	sent: readonly HostMessage[],
	history: readonly HostMessage[],
	sender?: Sender,
): Verdict | undefined {
	if (isWhole(sent, history)) return undefined;
	const body = fieldsOf(wire.body(convertToLlm(adaptToApi(wire.api, sent, history)), sender));
	const broken = wire.rules.filter((rule) => rule(body) !== undefined);
	if (broken.length === 0) return undefined;
	const whole = fieldsOf(wire.body(convertToLlm([...history]), sender));
	const rule = broken.find((one) => one(whole) === undefined);
	const refusal = rule?.(body);
	return rule && refusal && { wire: wire.name, rule, refusal };
}
