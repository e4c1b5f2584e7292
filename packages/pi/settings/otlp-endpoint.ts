/** Where figures of a session are sent to, when a person asked for it. */
import { CwlError } from "../errors.ts";

/** The standard variable that every OpenTelemetry program reads. */
export const STANDARD_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
/** Where settings say that a value of it came from. */
export const STANDARD_ORIGIN = `environment ${STANDARD_ENDPOINT}`;

/**
 * Read the base address of an OTLP/HTTP receiver; "" is none.
 * @throws CwlError `bad-otlp-endpoint` naming what was found and what is allowed
 */
export function readOtlpEndpoint(raw: unknown): string {
	if (raw === "" || raw === "none") return "";
	const url = typeof raw === "string" && URL.canParse(raw) ? new URL(raw) : undefined;
	if (url?.username || url?.password) {
		throw new CwlError(
			"bad-otlp-endpoint",
			"otlpEndpoint has a name or password, which settings would show: put them into OTEL_EXPORTER_OTLP_HEADERS.",
		);
	}
	if (url?.protocol === "http:" || url?.protocol === "https:") return url.href.replace(/\/+$/, "");
	throw new CwlError(
		"bad-otlp-endpoint",
		`otlpEndpoint is ${JSON.stringify(raw)}: use an address such as "http://127.0.0.1:4318", or "none".`,
	);
}
