import { parentPort, workerData } from "node:worker_threads";
import { serveJobs } from "./runner.ts";

if (parentPort) await serveJobs(parentPort, workerData);
