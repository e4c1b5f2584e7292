/** Starts the official OpenTelemetry SDK for metrics over OTLP/HTTP. Importing this file loads it; none of it is registered globally. */
import { randomUUID } from "node:crypto";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { Events } from "./events.ts";
import { metrics } from "./telemetry-metrics.ts";

type OnExport = (failure: string | undefined) => void;
export type TelemetrySdk = ReturnType<typeof startSdk>;

/** `endpoint` is the base address of the receiver, undefined for what the standard variables say. */
export function startSdk(endpoint: string | undefined, onExport: OnExport) {
	const { env } = process;
	const options = {
		...(endpoint !== undefined && { url: `${endpoint}/v1/metrics` }),
		...(env.OTEL_EXPORTER_OTLP_TIMEOUT === undefined && { timeoutMillis: 2_000 }),
	};
	const identity = { "service.name": "cwl", "service.instance.id": randomUUID() };
	const resource = resourceFromAttributes(identity).merge(detectResources({ detectors: [envDetector] }));
	const reader = new PeriodicExportingMetricReader({
		exporter: watched(new OTLPMetricExporter(options), onExport),
		exportIntervalMillis: Number(env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000,
	});
	const meters = new MeterProvider({ resource, readers: [reader] });
	const meter = meters.getMeter("cwl");
	return {
		record<K extends keyof Events>(name: K, event: Events[K]) {
			for (const [metric, [kind, unit, points]] of Object.entries(metrics[name])) {
				for (const [value, attributes] of points(event)) {
					if (!Number.isFinite(value)) continue;
					// The SDK keeps one series for all instruments of one name.
					if (kind === "counter") meter.createCounter(metric, { unit }).add(value, attributes);
					else meter.createGauge(metric, { unit }).record(value, attributes);
				}
			}
		},
		/** Sends what is left, whatever comes of it. */
		close: () => Promise.allSettled([meters.shutdown()]),
	};
}

interface Exporter<T> {
	export(items: T, done: (result: { code: number; error?: Error }) => void): void;
}

/** Calls `onExport` after every export, with the reason if it failed: the SDK reports that nowhere that a user would see. */
function watched<T, E extends Exporter<T>>(exporter: E, onExport: OnExport): E {
	const send = exporter.export.bind(exporter);
	exporter.export = (items, done) =>
		send(items, (result) => {
			onExport(result.error && (result.error.message || result.error.name));
			done(result);
		});
	return exporter;
}
