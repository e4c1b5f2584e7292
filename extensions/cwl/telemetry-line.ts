/** The connection to the receiver of telemetry: opened in the background, and given up rather than waited for. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { type LoadedSettings, loadOtlp, type Otlp, packageDirectory, STANDARD_ORIGIN } from "#pi";
import { importInTurn } from "./import-in-turn.ts";
import { inOneLine, tellNotice, tellProblem } from "./notice.ts";

/** How long the end of a session may wait for what is left to be sent, unless the user allows an export more. */
const LAST_FLUSH_MS = 1_000;

export interface TelemetryLine {
	/** As soon as the SDK is loaded, in this order; never when it cannot be. */
	send(work: (otlp: Otlp) => void): void;
	/** Send what is left, in bounded time. */
	close(): Promise<void>;
}

/** Never throws, then or later: what fails is told once. */
export function openTelemetry(ctx: ExtensionContext, { settings, origins }: LoadedSettings): TelemetryLine {
	let isSilent = false;
	let isDown = false;

	/** Once: whoever is without a network for a day does not want to read it every minute. */
	function tellFailure(reason: string) {
		if (isSilent) return;
		isSilent = true;
		const lost = `telemetry does not reach ${settings.otlpEndpoint}`;
		tellNotice(
			ctx,
			inOneLine(`${lost} (${reason}). The session goes on without it; this is said once.`, `${lost}.`),
		);
	}

	function hear(failure: string | undefined) {
		isDown = failure !== undefined;
		if (failure !== undefined) tellFailure(failure);
	}

	const isStandard = origins.otlpEndpoint === STANDARD_ORIGIN;
	const loading = load(ctx, isStandard ? undefined : settings.otlpEndpoint, hear);
	return {
		send(work) {
			void loading.then((otlp) => otlp && work(otlp)).catch((error) => tellFailure(String(error)));
		},
		async close() {
			const limit = Number(process.env.OTEL_EXPORTER_OTLP_TIMEOUT) || LAST_FLUSH_MS;
			const closing = (await loading)?.close(limit);
			// Nobody waits for what failed just now.
			if (!isDown && (await closing) === false) tellFailure(`no answer within ${limit / 1_000} s`);
			// The context of a session that has ended must not be used.
			isSilent = true;
		},
	};
}

async function load(
	ctx: ExtensionContext,
	endpoint: string | undefined,
	onExport: (failure: string | undefined) => void,
): Promise<Otlp | undefined> {
	try {
		const { startOtlp } = await importInTurn(loadOtlp);
		return startOtlp({ endpoint, environment: process.env, onExport });
	} catch (error) {
		const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
		const remedy = `npm install --include=optional --prefix "${packageDirectory()}"`;
		tellProblem(
			ctx,
			"warning",
			`telemetry is off, its packages cannot be loaded: ${reason}. What helps: ${remedy}`,
		);
		return undefined;
	}
}
