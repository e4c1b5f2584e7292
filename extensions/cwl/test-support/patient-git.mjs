/**
 * Loaded into a process before its program: a request waits until git has answered, however busy the machine is, so that two
 * sessions get the same status with the same request.
 */
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const MAX_WAIT_MS = 60_000;

const pause = timers.setTimeout;
timers.setTimeout = (ms, ...rest) =>
	pause(new Error().stack?.includes("git-watcher") ? MAX_WAIT_MS : ms, ...rest);
syncBuiltinESMExports();
