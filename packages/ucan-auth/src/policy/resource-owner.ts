/** Start of a DID inside a resource: not in the middle of a word. */
const FIRST_DID = /(?<![A-Za-z0-9])did(?::|%3a)/i;

/** Forms of DIDs by method. A resource may continue with a colon after a DID, so the end of the DID must be known. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['key', /^did:key:[1-9A-HJ-NP-Za-km-z]+/],
  ['ixo', /^did:ixo:(?:(?:entity|wasm):|(?!(?:entity|wasm)(?![A-Za-z0-9._-])))[A-Za-z0-9._-]+/],
]);
const OTHER_FORM = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+/;
const CONTINUES = /^[A-Za-z0-9._%-]/;

/**
 * The owner of a resource: the first DID in it, as in `<did>/box` or `ixo:oracle:<did>:mcp/tool`. Undefined for a shared resource, which
 * names no DID, such as `ixo:memory`: each issuer may grant its own use of it.
 *
 * A malformed DID is returned unchanged. It equals no issuer, so no issuer may grant the resource.
 */
export function ownerOf(resource: string): string | undefined {
  const start = resource.search(FIRST_DID);
  if (start < 0) return undefined;
  const text = resource.slice(start);
  const form = FORMS.get(text.split(':', 2)[1] ?? '') ?? OTHER_FORM;
  const did = form.exec(text)?.[0];
  return did === undefined || CONTINUES.test(text.slice(did.length)) ? text : did;
}
