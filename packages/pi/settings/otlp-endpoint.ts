/** The address that telemetry is sent to, when a person asked for it. */
import { Type } from "typebox";
import { CwlError } from "../errors.ts";

/** The standard variable that every OpenTelemetry program reads. */
export const STANDARD_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
/** The origin that settings name for its value. */
export const STANDARD_ORIGIN = `environment ${STANDARD_ENDPOINT}`;

export const OtlpEndpointSchema = Type.String();

/**
 * The base address of an OTLP/HTTP receiver without slashes at its end, "" for none; undefined for another kind of address.
 * @throws CwlError `bad-otlp-endpoint` for one with a password, which no message may show
 */
export function parseOtlpEndpoint(raw: unknown): string | undefined {
	if (raw === "" || raw === "none") return "";
	const url = typeof raw === "string" && URL.canParse(raw) ? new URL(raw) : undefined;
	if (url?.username || url?.password) {
		throw new CwlError(
			"bad-otlp-endpoint",
			"otlpEndpoint has a name or password, which settings would show: put them into OTEL_EXPORTER_OTLP_HEADERS.",
		);
	}
	const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
	return isWeb ? url.href.replace(/\/+$/, "") : undefined;
}
