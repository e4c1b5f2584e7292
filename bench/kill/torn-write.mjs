/**
 * Loaded into a process before its program: kills it inside the write of a session file line, like a crash in the
 * middle of the system call. `CWL_TORN_WRITE` holds JSON: the lines that count, the number of them to let pass, and
 * the share of the bytes to write.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const wanted = process.env.CWL_TORN_WRITE;
if (wanted) {
	const { match, skip, share } = JSON.parse(wanted);
	const append = fs.appendFileSync;
	let seen = 0;
	fs.appendFileSync = (path, data, options) => {
		if (!String(path).endsWith(".jsonl") || !String(data).includes(match) || seen++ < skip)
			return append(path, data, options);
		const bytes = Buffer.from(data);
		append(path, bytes.subarray(0, Math.floor(bytes.length * share)), options);
		process.kill(process.pid, "SIGKILL");
	};
	syncBuiltinESMExports();
}
