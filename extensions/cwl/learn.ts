/** Calibrates by the usage of the last answer, once: when it comes, or before the next request. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { HostMessage } from "#pi/codec";
import { emit } from "./events.ts";
import type { Runtime } from "./state/runtime.ts";

export function learn(pi: ExtensionAPI, { gauge }: Runtime, messages: readonly HostMessage[]) {
	const settled = gauge.meter?.learn(messages);
	if (settled) emit(pi, "cwl:account", { ...settled.account, isPrefixBreak: settled.pass !== undefined });
}
