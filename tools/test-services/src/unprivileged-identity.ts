import { execFileSync } from 'node:child_process';

export type Identity = { readonly uid: number; readonly gid: number };

/** Some servers refuse to run as root; then they run as a user that owns nothing else. Undefined if this process is not root. */
export function unprivilegedIdentity(server: string): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ['postgres', 'nobody']) {
    try {
      const ask = (what: string): number => Number(execFileSync('id', [what, user], { stdio: 'pipe' }).toString());
      return { uid: ask('-u'), gid: ask('-g') };
    } catch {
      // The next name.
    }
  }
  throw new Error(`${server} does not run as root, and there is no user postgres or nobody to run it as`);
}
