/** The formats that a replay reads, asked in this order. */
import { CwlError } from "../../packages/host/errors.ts";
import { fileError } from "./file-error.ts";
import { readFirstLines } from "./lines.ts";
import { piReader } from "./pi.ts";
import type { RecordedSession, SessionReader } from "./session-reader.ts";

const readers: readonly SessionReader[] = [piReader];

/** Enough to pass a damaged header. */
const RECOGNISED_BY = 3;

/** Read a session of any known format; rejects with a `CwlError` that names the file. */
export async function readSession(path: string): Promise<RecordedSession> {
	const firstLines = await readFirstLines(path, RECOGNISED_BY).catch((error) => {
		throw fileError(path, error);
	});
	const reader = readers.find((candidate) => candidate.recognise(firstLines));
	if (reader) return reader.read(path);
	const formats = readers.map(({ format }) => format).join(", ");
	throw new CwlError("unknown-format", `${path}: no session in a known format (${formats}); leave it out.`);
}
