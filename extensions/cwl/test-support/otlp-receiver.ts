/** An OTLP/HTTP receiver on 127.0.0.1 that keeps what it gets, or treats its senders badly. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** As in the JSON encoding of OTLP; only what the tests look at. */
interface OtlpAttribute {
	readonly key: string;
	readonly value: Readonly<Record<string, unknown>>;
}

export interface OtlpMetric {
	readonly name: string;
	readonly unit: string;
	readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly OtlpPoint[] };
	readonly gauge?: { readonly dataPoints: readonly OtlpPoint[] };
	readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
}

export interface OtlpPoint {
	readonly attributes: readonly OtlpAttribute[];
	readonly asDouble?: number;
	readonly asInt?: number;
	readonly count?: number;
	readonly sum?: number;
	readonly explicitBounds?: readonly number[];
}

export interface Receiver {
	readonly url: string;
	/** Every body as it came, oldest first. */
	readonly bodies: readonly string[];
	/** By path, header names in lower case. */
	readonly requests: readonly {
		readonly path: string;
		readonly headers: Readonly<Record<string, unknown>>;
	}[];
	/** As they were last sent, by name. */
	metrics(): ReadonlyMap<string, OtlpMetric>;
	/** Attributes of the program that sends. */
	resource(): Readonly<Record<string, unknown>>;
}

export async function startReceiver(manner: "takes" | "refuses" | "hangs" = "takes"): Promise<Receiver> {
	const bodies: string[] = [];
	const requests: { path: string; headers: Record<string, unknown> }[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request.setEncoding("utf8")) body += chunk;
		requests.push({ path: request.url ?? "", headers: request.headers });
		bodies.push(body);
		if (manner === "hangs") return;
		response.writeHead(manner === "takes" ? 200 : 500, { "content-type": "application/json" }).end("{}");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(async () => {
		server.closeAllConnections();
		server.close();
	});
	const all = () => bodies.map((body) => JSON.parse(body));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		...{ bodies, requests },
		metrics: () =>
			new Map(
				all().flatMap(({ resourceMetrics = [] }) =>
					resourceMetrics.flatMap(({ scopeMetrics }: { scopeMetrics: { metrics: OtlpMetric[] }[] }) =>
						scopeMetrics.flatMap(({ metrics }) => metrics.map((metric) => [metric.name, metric] as const)),
					),
				),
			),
		resource: () =>
			all().flatMap(({ resourceMetrics = [] }) =>
				resourceMetrics.map(({ resource }: { resource: OtlpPoint }) => attributesOf(resource)),
			)[0] ?? {},
	};
}

export function attributesOf({
	attributes,
}: {
	readonly attributes: readonly OtlpAttribute[];
}): Readonly<Record<string, unknown>> {
	return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** The points of a metric, whatever its kind. */
export function pointsOf(metric: OtlpMetric | undefined): readonly OtlpPoint[] {
	return (metric?.sum ?? metric?.gauge ?? metric?.histogram)?.dataPoints ?? [];
}
