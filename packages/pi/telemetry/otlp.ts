/**
 * Sends points and spans over OTLP/HTTP with the official SDK, and never delays the session: what cannot be
 * sent in time is dropped. Loading this file loads the SDK; nothing of it is registered for the whole process.
 */
import { randomUUID } from "node:crypto";
import { type Meter, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { type MetricName, metrics } from "./metrics.ts";
import type { Point } from "./points.ts";
import type { SpanData } from "./spans.ts";

/** Of our instruments: spans and metrics carry it. */
const SCOPE = "cwl";
/** An export that takes longer is given up, as is one that is under way when the program ends. */
const EXPORT_MS = 2_000;
/** As the specification of the SDK has them. */
const METRIC_INTERVAL_MS = 60_000;
const SPAN_DELAY_MS = 5_000;

export interface OtlpOptions {
	/** Base address of the receiver; undefined for what the standard variables say, which the exporters read. */
	readonly endpoint: string | undefined;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Called after every export, with the reason when it failed. */
	readonly onExport: (failure: string | undefined) => void;
}

export interface Otlp {
	record(points: readonly Point[]): void;
	/** A span that has ended; inside of the run that is going on, if any. */
	span(data: SpanData): void;
	/** A span that others are inside of, until it ends. */
	beginRun(data: Omit<SpanData, "end">): void;
	/** `end` in ms since 1970. */
	endRun(end: number): void;
	/** Send what is left; answers after `limit` ms at the latest, whether all of it was sent or given up. */
	close(limit: number): Promise<boolean>;
}

export function startOtlp(options: OtlpOptions): Otlp {
	const { environment } = options;
	const resource = resourceFromAttributes({
		"service.name": SCOPE,
		"service.instance.id": randomUUID(),
	}).merge(detectResources({ detectors: [envDetector] }));
	const spans = new OTLPTraceExporter(exporterOptions(options, "v1/traces"));
	const points = new OTLPMetricExporter(exporterOptions(options, "v1/metrics"));
	watch(spans, options.onExport);
	watch(points, options.onExport);
	const processor = new BatchSpanProcessor({
		exporter: spans,
		scheduledDelayMillis: readMs(environment.OTEL_BSP_SCHEDULE_DELAY, SPAN_DELAY_MS),
	});
	const interval = readMs(environment.OTEL_METRIC_EXPORT_INTERVAL, METRIC_INTERVAL_MS);
	const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: interval });
	const tracers = new TracerProvider({ resource, spanProcessors: [processor] });
	const meters = new MeterProvider({ resource, readers: [reader] });
	const record = createRecorder(meters.getMeter(SCOPE));
	const tracer = tracers.getTracer(SCOPE);
	let run: Span | undefined;

	function begin({ name, kind, start, attributes, failure }: Omit<SpanData, "end">): Span {
		const parent = run ? trace.setSpan(ROOT_CONTEXT, run) : ROOT_CONTEXT;
		const span = tracer.startSpan(name, { kind: kinds[kind], startTime: start, attributes }, parent);
		if (failure) span.setAttribute("error.type", failure).setStatus({ code: SpanStatusCode.ERROR });
		return span;
	}

	function endRun(end: number) {
		run?.end(end);
		run = undefined;
	}

	return {
		record: (all) => {
			for (const point of all) record(point);
		},
		span: (data) => begin(data).end(data.end),
		beginRun(data) {
			endRun(data.start);
			run = begin(data);
		},
		endRun,
		async close(limit) {
			const sent = Promise.all([tracers.shutdown(), meters.shutdown()]).then(
				() => true,
				() => true,
			);
			return Promise.race([sent, isLate(limit)]);
		},
	};
}

const kinds = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

function exporterOptions({ endpoint, environment }: OtlpOptions, path: string) {
	return {
		...(endpoint !== undefined && { url: `${endpoint}/${path}` }),
		...(environment.OTEL_EXPORTER_OTLP_TIMEOUT === undefined && { timeoutMillis: EXPORT_MS }),
	};
}

interface Exporter<T> {
	export(items: T, done: (result: { code: number; error?: Error }) => void): void;
}

/** The SDK tells of failures nowhere that a person would see. */
function watch<T>(exporter: Exporter<T>, onExport: OtlpOptions["onExport"]) {
	const send = exporter.export.bind(exporter);
	exporter.export = (items, done) =>
		send(items, (result) => {
			onExport(result.error && (result.error.message || result.error.name));
			done(result);
		});
}

function createRecorder(meter: Meter): (point: Point) => void {
	const record = new Map<MetricName, (value: number, attributes: Point["attributes"]) => void>();
	return ({ metric, value, attributes }) => {
		const known = record.get(metric) ?? createInstrument(meter, metric);
		record.set(metric, known);
		known(value, attributes);
	};
}

function createInstrument(
	meter: Meter,
	name: MetricName,
): (value: number, attributes: Point["attributes"]) => void {
	const metric = metrics[name];
	const { unit, description } = metric;
	switch (metric.kind) {
		case "counter": {
			const counter = meter.createCounter(name, { unit, description });
			return (value, attributes) => counter.add(value, attributes);
		}
		case "gauge": {
			const gauge = meter.createGauge(name, { unit, description });
			return (value, attributes) => gauge.record(value, attributes);
		}
		case "histogram": {
			const advice = { explicitBucketBoundaries: [...metric.boundaries] };
			const histogram = meter.createHistogram(name, { unit, description, advice });
			return (value, attributes) => histogram.record(value, attributes);
		}
	}
}

function readMs(value: string | undefined, otherwise: number): number {
	const ms = Number(value);
	return Number.isFinite(ms) && ms > 0 ? ms : otherwise;
}

function isLate(limit: number): Promise<false> {
	return new Promise((resolve) => {
		setTimeout(() => resolve(false), limit).unref();
	});
}
