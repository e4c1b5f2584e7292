/** The files that never enter the project memory, by their names. The forms of secrets inside a text are in `redact.ts`. */

/** The last part of a path to a file of secrets; examples such as `.env.example` are none. */
const SECRET =
	/^(?:\.env(?:\..+)?|.+\.env|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|auth\.json|secrets?\.\w+|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk))$/i;
const HARMLESS = /\.(?:example|sample|template|dist)$/i;
const SECRET_FOLDER = /(?:^|\/)\.(?:ssh|aws|gnupg|kube|docker)\//i;

/** Returns true for a file whose name says that it holds secrets: findings from one never enter the project memory. */
export function isSecretFile(name: string): boolean {
	const last = name.slice(name.lastIndexOf("/") + 1);
	return SECRET_FOLDER.test(name) || (SECRET.test(last) && !HARMLESS.test(last));
}
