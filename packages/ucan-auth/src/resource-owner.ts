// The DID that a resource names begins where a word does.
const FIRST_DID = /(?<![A-Za-z0-9])did(?::|%3a)/i;

// How far a DID goes, by method: a resource may go on after it with a colon, so that the end has to be known.
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['key', /^did:key:[1-9A-HJ-NP-Za-km-z]+/],
  ['ixo', /^did:ixo:(?:(?:entity|wasm):|(?!(?:entity|wasm)(?![A-Za-z0-9._-])))[A-Za-z0-9._-]+/],
]);
const OTHER_FORM = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+/;
const GOES_ON = /^[A-Za-z0-9._%-]/;

/**
 * Whose a resource is: the first DID that it names, wherever that stands, as in `<did>/box` or `ixo:oracle:<did>:mcp/tool`. Of
 * what names no DID, such as `ixo:memory`, nobody is the owner (undefined): it is shared, and everybody speaks for themself.
 *
 * What begins like a DID and cannot be read as one is given as it stands: no issuer is called that, so nobody owns it.
 */
export function ownerOf(resource: string): string | undefined {
  const start = resource.search(FIRST_DID);
  if (start < 0) return undefined;
  const text = resource.slice(start);
  const form = FORMS.get(text.split(':', 2)[1] ?? '') ?? OTHER_FORM;
  const did = form.exec(text)?.[0];
  return did === undefined || GOES_ON.test(text.slice(did.length)) ? text : did;
}
