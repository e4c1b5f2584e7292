/** The tools that make sense only while CWL manages the session; the others stay when it is switched off. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { DELIMITER } from "#core/annotation";
import { RECALL } from "#core/recall";

const ownTools: readonly string[] = [DELIMITER, RECALL];

/** Offer our own tools to the model, or take them away. */
export function setOwnToolsActive(pi: ExtensionAPI, isActive: boolean) {
	const active = pi.getActiveTools();
	const others = active.filter((name) => !ownTools.includes(name));
	const wanted = isActive ? [...others, ...ownTools] : others;
	if (wanted.length !== active.length) pi.setActiveTools(wanted);
}
