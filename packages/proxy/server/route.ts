/** Where a request goes: the first part of its path names the provider, and the rest is the provider's own path. */

/** Base addresses by the name that stands first in the path. */
export type Upstreams = ReadonlyMap<string, URL>;

export const defaultUpstreams: Upstreams = new Map([
	["anthropic", new URL("https://api.anthropic.com")],
	["openai", new URL("https://api.openai.com")],
]);

export interface Route {
	/** The name of the provider in the path. */
	readonly upstream: string;
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
	return { upstream, base, path: path.startsWith("/") ? path : `/${path}` };
}
