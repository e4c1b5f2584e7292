/** The way to a provider: which one a path names, the headers that are passed on, and the connection. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** Base addresses by the name that stands first in the path. */
export type Upstreams = ReadonlyMap<string, URL>;

export const defaultUpstreams: Upstreams = new Map([
	["anthropic", new URL("https://api.anthropic.com")],
	["openai", new URL("https://api.openai.com")],
]);

export interface Route {
	readonly base: URL;
	/** Path and query at the provider, byte for byte as they came. */
	readonly path: string;
}

/** The route of a request line's target; undefined when its first part names no provider. */
export function findRoute(target: string, upstreams: Upstreams): Route | undefined {
	const match = /^\/([^/?]+)(.*)$/s.exec(target);
	const [, upstream = "", rest = ""] = match ?? [];
	const base = upstreams.get(upstream);
	if (!base) return undefined;
	const path = base.pathname.replace(/\/$/, "") + rest;
	return { base, path: path.startsWith("/") ? path : `/${path}` };
}

/** Headers that belong to one connection (RFC 9110, 7.6.1). Node frames bodies anew, with the same transfer encoding and no trailers. */
const HOP_BY_HOP = new Set([
	"connection",
	"keep-alive",
	"proxy-connection",
	"upgrade",
	"te",
	"trailer",
	"expect",
]);

/** Names and values in turn, as in `rawHeaders`. */
type RawHeaders = readonly string[];

/** The headers to send on, with other values for those that are named in `changes`; undefined leaves one out. */
export function passHeaders(
	raw: RawHeaders,
	changes: Readonly<Record<string, string | undefined>> = {},
): string[] {
	const perConnection = new Set(HOP_BY_HOP);
	for (const [name, value] of pairsOf(raw)) {
		if (name.toLowerCase() !== "connection") continue;
		for (const named of value.split(",")) perConnection.add(named.trim().toLowerCase());
	}
	return pairsOf(raw).flatMap(([name, value]) => {
		const key = name.toLowerCase();
		if (perConnection.has(key)) return [];
		if (!Object.hasOwn(changes, key)) return [name, value];
		const changed = changes[key];
		return changed === undefined ? [] : [name, changed];
	});
}

function pairsOf(raw: RawHeaders): readonly (readonly [name: string, value: string])[] {
	return Array.from(
		{ length: raw.length / 2 },
		(_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""] as const,
	);
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

/** Servers close idle connections after 5 s and more. One that is closed while a request is sent loses the request. */
const IDLE_MS = 4_000;

export function createUpstreamClient() {
	const options = { keepAlive: true, timeout: IDLE_MS, scheduling: "lifo" } as const;
	const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
	return {
		/** Opens a request. The caller writes the body, and listens for `response`, `upgrade` and `error`. */
		open(method: string, { base, path }: Route, headers: readonly string[]): ClientRequest {
			const isTls = base.protocol === "https:";
			const target = {
				method,
				path,
				headers: [...headers],
				hostname: base.hostname.replace(/^\[|\]$/g, ""),
				port: base.port === "" ? (isTls ? 443 : 80) : Number(base.port),
				agent: isTls ? agents.https : agents.http,
			};
			return isTls ? httpsRequest(target) : httpRequest(target);
		},
		/** Cuts all connections. */
		close() {
			agents.http.destroy();
			agents.https.destroy();
		},
	};
}
