/** The time of one request, over a connection that stays open. */
import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true });

/** Posts a body and resolves with the milliseconds until the whole answer was read. Rejects unless it succeeds. */
export function timeRequest(url: string, body: Buffer): Promise<number> {
	return new Promise((resolve, reject) => {
		const start = performance.now();
		const headers = { "content-type": "application/json", "content-length": body.length };
		const sent = request(url, { method: "POST", agent, headers }, (answer) => {
			answer.resume().on("error", reject);
			answer.on("end", () => {
				if (answer.statusCode === 200) resolve(performance.now() - start);
				else reject(new Error(`status ${answer.statusCode}`));
			});
		});
		sent.on("error", reject).end(body);
	});
}
