/** Refuses requests that a web page makes a browser send: the agent's credentials are not for other pages to use. */
import type { IncomingHttpHeaders } from "node:http";

/** The reason to refuse a request, in words for its sender; undefined for a request that may pass. */
export function findForeign(headers: IncomingHttpHeaders, port: number): string | undefined {
	const own = ["127.0.0.1", "localhost"].map((host) => `${host}:${port}`);
	const { host, origin } = headers;
	// A page that rebinds its own name to 127.0.0.1 still sends that name.
	if (host === undefined || !own.includes(host.toLowerCase())) {
		return `the host is ${JSON.stringify(host ?? "")}: use http://${own[0]}.`;
	}
	if (origin !== undefined && !own.some((address) => origin === `http://${address}`)) {
		return `the request comes from the web page ${JSON.stringify(origin)}: agents send no Origin header, and browsers may not use this proxy.`;
	}
	const site = headers["sec-fetch-site"];
	if (site === "cross-site" || site === "same-site") {
		return "the request comes from a web page: browsers may not use this proxy.";
	}
	return undefined;
}
