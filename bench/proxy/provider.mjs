/** A provider that reads a request and answers at once; prints its address. */
import { createServer } from "node:http";

const server = createServer((request, response) => {
	request.resume().on("end", () => response.end('{"type":"message"}'));
});
server.listen(0, "127.0.0.1", () => {
	process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
