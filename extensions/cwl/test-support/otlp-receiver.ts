/** An OTLP/HTTP receiver on 127.0.0.1 that keeps what it gets, or treats its senders badly. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { fieldsOf, recordsOf, textOf, type UnknownRecord } from "#basics";

type Point = UnknownRecord & { readonly attributes: UnknownRecord };
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver(manner: "takes" | "refuses" | "hangs" = "takes") {
	const bodies: string[] = [];
	const requests: { path: string; headers: UnknownRecord }[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request.setEncoding("utf8")) body += chunk;
		requests.push({ path: request.url ?? "", headers: { ...request.headers } });
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
	const resources = () => bodies.flatMap((body) => recordsOf(fieldsOf(JSON.parse(body)).resourceMetrics));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** Every body as it came, and its path with header names in lower case, oldest first. */
		bodies,
		requests,
		/** The points of a metric, whatever its kind, as they were last sent; as OTLP's JSON has them, with attributes as an object. */
		points(name: string): readonly Point[] {
			const scopes = resources().flatMap(({ scopeMetrics }) => recordsOf(scopeMetrics));
			const metrics = scopes.flatMap((scope) => recordsOf(scope.metrics));
			const { sum, gauge } = fieldsOf(metrics.findLast((metric) => metric.name === name));
			const points = recordsOf(fieldsOf(sum ?? gauge).dataPoints);
			return points.map((point) => ({ ...point, attributes: attributesOf(point) }));
		},
		/** Attributes of the program that sends. */
		resource: () => attributesOf(fieldsOf(resources()[0]?.resource)),
	};
}

function attributesOf({ attributes }: UnknownRecord): UnknownRecord {
	const pairs = recordsOf(attributes).map(({ key, value }) => [
		textOf(key),
		Object.values(fieldsOf(value))[0],
	]);
	return Object.fromEntries(pairs);
}
