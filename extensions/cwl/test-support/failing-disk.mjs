/**
 * Loaded into a process before its program: while the file that `CWL_FAILING_DISK` names exists, what is appended to a
 * session file fails with the error code that stands in it; a full disk (ENOSPC) still takes half of the bytes.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const flag = process.env.CWL_FAILING_DISK ?? "";
const append = fs.appendFileSync;
fs.appendFileSync = (path, data, options) => {
	if (!String(path).endsWith(".jsonl") || !fs.existsSync(flag)) return append(path, data, options);
	const code = fs.readFileSync(flag, "utf8");
	const bytes = Buffer.from(data);
	if (code === "ENOSPC") append(path, bytes.subarray(0, Math.floor(bytes.length / 2)), options);
	throw Object.assign(new Error(`${code}: the disk refuses, write`), { code });
};
syncBuiltinESMExports();
