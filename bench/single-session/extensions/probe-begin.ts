/** Loaded before the extension under test: records when pi asks for the context of a request. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function probeBegin(pi: ExtensionAPI) {
	pi.on("context", () => {
		// Two separately loaded files share nothing but the environment.
		process.env.CWL_BENCH_BEGUN = String(performance.now());
		return undefined;
	});
}
