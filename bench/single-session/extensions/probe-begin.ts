/** Loaded before the extension under test: notes when the host asks for a request. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";

export default function probeBegin(pi: ExtensionAPI) {
	pi.on("context", () => {
		// The environment is what two separately loaded files share.
		process.env.CWL_BENCH_BEGUN = String(performance.now());
		return undefined;
	});
}
