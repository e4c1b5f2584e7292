import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Takes what a program prints; nothing of it is left behind, even when this process ends early. */
export interface OutputFile {
	readonly descriptor: number;
	readonly size: () => number;
	readonly read: () => Buffer;
	readonly close: () => void;
}

/** Undefined where no temporary file can be made: a pipe does as well, only slower. */
export function openOutputFile(): OutputFile | undefined {
	try {
		const directory = mkdtempSync(join(tmpdir(), "cwl-output-"));
		const remove = () => rmSync(directory, { recursive: true, force: true });
		const descriptor = openSync(join(directory, "output"), "wx+", 0o600);
		// An open file outlives its name, except on Windows.
		if (process.platform !== "win32") remove();
		return {
			descriptor,
			size: () => fstatSync(descriptor).size,
			read: () => readWhole(descriptor),
			close: () => {
				closeSync(descriptor);
				remove();
			},
		};
	} catch {
		return undefined;
	}
}

function readWhole(descriptor: number): Buffer {
	const bytes = Buffer.allocUnsafe(fstatSync(descriptor).size);
	let length = 0;
	for (let read = -1; read !== 0 && length < bytes.length; length += read) {
		read = readSync(descriptor, bytes, length, bytes.length - length, length);
	}
	return bytes.subarray(0, length);
}
