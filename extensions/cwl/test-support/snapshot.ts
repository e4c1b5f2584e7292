/** Copies of folders at a point in time, as a disk would hold them after a crash. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";

/** Copy folders, file times included, into a new folder inside `directory`. */
export async function takeSnapshot(directory: string, folders: readonly string[]) {
	const copies = await mkdtemp(join(directory, "snapshot-"));
	const copy = (from: string, to: string) => cp(from, to, { recursive: true, preserveTimestamps: true });
	for (const folder of folders) await copy(folder, join(copies, basename(folder)));
	return {
		/** Put the folders back as they were. */
		async restore() {
			for (const folder of folders) {
				await rm(folder, { recursive: true });
				await copy(join(copies, basename(folder)), folder);
			}
		},
	};
}
