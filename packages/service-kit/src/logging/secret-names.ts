/** Ends of names, without case and separators: `accessToken`, `X-API-Key` and `OPERATOR_TOKEN` are all secrets. */
const ends = [
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'delegation',
  'invocation',
  'jwt',
  'key',
  'mnemonic',
  'otp',
  'passphrase',
  'passwd',
  'password',
  'pin',
  'pwd',
  'secret',
  'seed',
  'token',
] as const;

/** Fields with user input, and lists that alternate names and values. */
const wholes = ['raw', 'rawheaders', 'rawtrailers', 'text', 'userdata'];
/** Only as clients of Matrix spell them: operators need to read which homeserver is not called. */
const asSpelt = new Set(['homeServer', 'x-matrix-homeserver']);

const secretName = new RegExp(`(?:(?:${ends.join('|')})s?|^(?:${wholes.join('|')}))$`);
const publicName = /publickeys?$/;
const phoneName = /(?:phone|msisdn|mobile|phonenumber|mobilenumber|callernumber)s?$/;

/** The class of a field name: unrestricted, a secret, or a phone number. */
export type NameKind = 'open' | 'secret' | 'phone';

const longestName = 128;

export function kindOfName(name: string): NameKind {
  // Long enough for every pattern, and bounded for long names.
  const plain = name
    .slice(-longestName)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  if (asSpelt.has(name) || (secretName.test(plain) && !publicName.test(plain))) return 'secret';
  return phoneName.test(plain) ? 'phone' : 'open';
}

/** The same endings as part of a pattern over text, where `apikey` also matches `api_key`. */
export const secretEnds = `(?:${ends.join('|')})s?`;
