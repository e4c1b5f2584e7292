/**
 * OpenTelemetry for a user who set an endpoint: the extension's events become metrics. Nothing waits for the receiver, and
 * without an endpoint no module of the SDK is loaded.
 */
import { setTimeout } from "node:timers/promises";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { messageOf, packageDirectory } from "#pi";
import { STANDARD_ORIGIN } from "#pi/settings";
import type { Events } from "./events.ts";
import { importInTurn, tellNotice, tellProblem } from "./host.ts";
import type { Runtime } from "./state/runtime.ts";
import { eventNames } from "./telemetry-metrics.ts";
import type { TelemetrySdk } from "./telemetry-sdk.ts";

/** The time that the end of a session waits for the last export, in ms, unless `OTEL_EXPORTER_OTLP_TIMEOUT` sets another. */
const LAST_FLUSH_MS = 1_000;

export function registerTelemetry(pi: ExtensionAPI, runtime: Runtime) {
	let connection: ReturnType<typeof connect> | undefined;
	// Only `emit` sends events of these names, and it gave them their shape.
	for (const name of eventNames) {
		pi.events.on(name, (event) => connection?.send((sdk) => sdk.record(name, event as Events[typeof name])));
	}
	pi.on("session_start", async (_event, ctx) => {
		await connection?.close();
		const isDisabled = process.env.OTEL_SDK_DISABLED?.toLowerCase() === "true";
		const isWanted = runtime.settings.loaded.settings.otlpEndpoint !== "" && !isDisabled;
		connection = isWanted ? connect(ctx, runtime) : undefined;
	});
	pi.on("session_shutdown", async () => {
		await connection?.close();
		connection = undefined;
	});
}

/** Connects in the background. Never throws, then or later: a failure is reported once in a session. */
function connect(ctx: ExtensionContext, { settings: { loaded } }: Runtime) {
	const { otlpEndpoint } = loaded.settings;
	let isSilent = false;
	let isDown = false;

	function tellFailure(reason: string) {
		if (isSilent) return;
		isSilent = true;
		tellNotice(ctx, `telemetry does not reach ${otlpEndpoint} (${reason}). This is said once.`);
	}

	async function load(): Promise<TelemetrySdk | undefined> {
		const { startSdk } = await importInTurn(() => import("./telemetry-sdk.ts"));
		const isStandard = loaded.origins.otlpEndpoint === STANDARD_ORIGIN;
		return startSdk(isStandard ? undefined : otlpEndpoint, (failure) => {
			isDown = failure !== undefined;
			if (failure !== undefined) tellFailure(failure);
		});
	}

	const loading = load().catch((error: unknown) => {
		const [reason] = messageOf(error).split("\n");
		const remedy = `npm install --prefix "${packageDirectory()}"`;
		const problem = `telemetry is off, its packages cannot be loaded: ${reason}. What helps: ${remedy}`;
		tellProblem(ctx, "warning", problem);
		return undefined;
	});
	return {
		/** Does the work as soon as the SDK is loaded, in this order; never if it cannot be. */
		send(work: (sdk: TelemetrySdk) => void) {
			void loading.then((sdk) => sdk && work(sdk)).catch((error) => tellFailure(String(error)));
		},
		/** Sends what is left, in bounded time, and waits for nothing if the last export failed. */
		async close() {
			const limit = Number(process.env.OTEL_EXPORTER_OTLP_TIMEOUT) || LAST_FLUSH_MS;
			const closing = (await loading)?.close();
			const late = setTimeout(limit, "late" as const, { ref: false });
			if (!isDown && (await Promise.race([closing, late])) === "late")
				tellFailure(`no answer within ${limit / 1_000} s`);
			// The context of a session that has ended must not be used.
			isSilent = true;
		},
	};
}
