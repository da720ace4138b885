import { createUcanAuth, type Verdict } from './auth.js';
import { decodeToken } from './decode-token.js';
import { capabilityInWords, describeToken } from './describe-token.js';
import { createIxoDidResolver } from './ixo-did-resolver.js';
import type { RefusalCode } from './refusal.js';
import { REFUSAL_WORDS } from './refusal-words.js';

export interface InspectOptions {
  /** The DID of the service to judge for. Default: whomever the token is addressed to. */
  readonly audience?: string | undefined;
  /** Default `ixo:oracle`. */
  readonly resource?: string | undefined;
  /** Where keys of did:ixo issuers are looked up. Default: nowhere. */
  readonly graphqlUrl?: string | undefined;
  readonly gatewayUrl?: string | undefined;
  /** Unix seconds. */
  readonly nowSeconds: number;
}

/** Explains a token: what it says, and whether a service would accept it as an invocation or a delegation, and why not. */
export async function inspectToken(text: string, options: InspectOptions): Promise<string> {
  const decoding = decodeToken(text);
  if (!decoding.ok) return `This is no token that a service reads. ${refusal(decoding.code)}`;
  const { token } = decoding;
  const { nowSeconds, audience = token.root.audience, resource = 'ixo:oracle' } = options;
  const resolver = resolverOf(options);
  const auth = createUcanAuth({
    audiences: [audience],
    resources: [resource],
    resolvers: resolver === undefined ? [] : [resolver],
    now: () => nowSeconds,
  });
  try {
    const invocation = await auth.invocation(text);
    const [identity, delegation] = [await auth.delegationIdentity(text), await auth.delegation(text)];
    return [
      ...describeToken(token, nowSeconds),
      '',
      `For the service ${audience}:`,
      `  as an invocation of ${resource}: ${invocation.ok ? `accepted, from ${invocation.verdict.issuer}` : refusal(invocation.code)}`,
      `  as a delegation: ${identity.ok ? `accepted, from ${identity.verdict.issuer}` : refusal(identity.code)}`,
      ...(identity.ok ? [`  what of it holds: ${delegation.ok ? inWords(delegation.verdict) : 'nothing'}`] : []),
      'Revocations are not looked up.',
    ].join('\n');
  } finally {
    await resolver?.close();
  }
}

function inWords({ capabilities }: Verdict): string {
  return capabilities.map(capabilityInWords).join('; ');
}

function refusal(code: RefusalCode): string {
  return `refused (${code}): ${REFUSAL_WORDS[code]}`;
}

function resolverOf({ graphqlUrl, gatewayUrl }: InspectOptions) {
  if (graphqlUrl !== undefined) return createIxoDidResolver({ graphqlUrl });
  return gatewayUrl === undefined ? undefined : createIxoDidResolver({ gatewayUrl });
}
