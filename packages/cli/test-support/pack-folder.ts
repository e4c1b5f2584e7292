/** Gives the test files of one run a folder for the packed package, and removes it at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup() {
	const folder = mkdtempSync(join(tmpdir(), "cwl-packed-"));
	process.env.CWL_PACK_FOLDER = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}
