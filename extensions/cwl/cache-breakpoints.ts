/** Keeps what Anthropic has cached within reach of the next request; see packages/pi/requests/cache-breakpoints.ts. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { noBreakpoints, placeBreakpoints } from "#pi";
import type { Runtime } from "./state/runtime.ts";

export function registerCacheBreakpoints(pi: ExtensionAPI, runtime: Runtime) {
	let memory = noBreakpoints;
	pi.on("session_start", () => {
		memory = noBreakpoints;
	});
	pi.on("before_provider_request", (event, ctx) => {
		if (!runtime.settings.isEnabled || ctx.model?.api !== "anthropic-messages") return undefined;
		const placed = placeBreakpoints(event.payload, memory);
		memory = placed.memory;
		return placed.payload;
	});
}
