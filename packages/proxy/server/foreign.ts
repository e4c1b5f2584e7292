/** Requests that agents do not send: those of web pages. */
import type { IncomingHttpHeaders } from "node:http";

/** The reason to refuse a request, in words for its sender; undefined for a request that may pass. */
export function findForeign(headers: IncomingHttpHeaders, port: number): string | undefined {
	const names = ["127.0.0.1", "localhost"];
	// Clients leave the default port of a protocol out.
	const own = [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
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
