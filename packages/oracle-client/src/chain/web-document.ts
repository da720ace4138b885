/**
 * Where a `did:web` keeps its document: `did:web:a.example` at `https://a.example/.well-known/did.json`, `did:web:a.example:b` at
 * `https://a.example/b/did.json`. Undefined for other DIDs. Source: https://w3c-ccg.github.io/did-method-web/.
 */
export function webDocumentUrl(did: string): string | undefined {
  const [host, ...path] = /^did:web:([\w.%:-]+)$/.exec(did)?.[1]?.split(':') ?? [];
  if (host === undefined) return undefined;
  const url = `https://${host.replace(/%3A/i, ':')}/${path.length === 0 ? '.well-known' : path.join('/')}/did.json`;
  return URL.canParse(url) ? url : undefined;
}
