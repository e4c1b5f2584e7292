import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from "node:fs";
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
	const file = openNameless() ?? openNamed();
	if (!file) return undefined;
	const { descriptor, remove } = file;
	return {
		descriptor,
		size: () => fstatSync(descriptor).size,
		read: () => readWhole(descriptor),
		close: () => {
			closeSync(descriptor);
			remove();
		},
	};
}

interface TemporaryFile {
	readonly descriptor: number;
	readonly remove: () => void;
}

/** Of open(2), not among Node's constants; the same number on every architecture that Node is built for. */
const O_TMPFILE = 0o20000000;

/** A file that never has a name, so that a process killed at any moment leaves none: Linux, on most file systems. */
function openNameless(): TemporaryFile | undefined {
	if (process.platform !== "linux") return undefined;
	try {
		const flags = O_TMPFILE | constants.O_DIRECTORY | constants.O_RDWR;
		return { descriptor: openSync(tmpdir(), flags, 0o600), remove: () => {} };
	} catch {
		return undefined;
	}
}

/** An open file outlives its name, except on Windows. */
function openNamed(): TemporaryFile | undefined {
	try {
		const path = join(tmpdir(), `cwl-output-${randomUUID()}`);
		const descriptor = openSync(path, "wx+", 0o600);
		const remove = () => rmSync(path, { force: true });
		if (process.platform !== "win32") remove();
		return { descriptor, remove };
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
