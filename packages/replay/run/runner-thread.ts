import { parentPort, workerData } from "node:worker_threads";
import { serveJobs } from "./jobs.ts";

if (parentPort) await serveJobs(parentPort, workerData);
