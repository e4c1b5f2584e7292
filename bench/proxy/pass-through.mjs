/**
 * The least that any proxy in Node does: hands on a request and its answer as they come, and reads neither. Its argument
 * is the provider's address; prints its own.
 */
import { Agent, createServer, request } from "node:http";

const [, , provider = ""] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, response) => {
	const { method, headers, url } = incoming;
	const sent = request(new URL(url, provider), { method, headers, agent }, (answer) => {
		response.writeHead(answer.statusCode, answer.headers);
		answer.pipe(response);
	});
	sent.on("error", () => response.destroy());
	incoming.pipe(sent);
});
server.listen(0, "127.0.0.1", () => {
	process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
