/** The connection to a provider: Node's HTTP client, which passes headers and bodies on as they are. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Route } from "./route.ts";

export interface UpstreamClient {
	/** Opens a request. The caller writes the body, and listens for `response`, `upgrade` and `error`. */
	open(method: string, route: Route, headers: readonly string[]): ClientRequest;
	/** Cuts all connections. */
	close(): void;
}

/** Servers close idle connections after 5 s and more. One that is closed while a request is sent loses the request. */
const IDLE_MS = 4_000;

export function createUpstreamClient(): UpstreamClient {
	const options = { keepAlive: true, timeout: IDLE_MS, scheduling: "lifo" } as const;
	const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
	return {
		open(method, { base, path }, headers) {
			const isTls = base.protocol === "https:";
			const target = {
				...{ method, path, headers: [...headers] },
				...{
					hostname: base.hostname.replace(/^\[|\]$/g, ""),
					port: base.port === "" ? (isTls ? 443 : 80) : Number(base.port),
				},
				agent: isTls ? agents.https : agents.http,
			};
			return isTls ? httpsRequest(target) : httpRequest(target);
		},
		close() {
			agents.http.destroy();
			agents.https.destroy();
		},
	};
}
