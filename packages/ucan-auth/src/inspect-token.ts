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

export interface Inspection {
  /** For people: what the token says, and whether a service would accept it as an invocation or a delegation, and why not. */
  readonly text: string;
  /** As at least one of the two. */
  readonly isAccepted: boolean;
}

/** Explains a token. */
export async function inspectToken(token: string, options: InspectOptions): Promise<Inspection> {
  const decoding = decodeToken(token);
  if (!decoding.ok) {
    return { text: `This is no token that a service reads. ${refusal(decoding.code)}`, isAccepted: false };
  }
  const { nowSeconds, audience = decoding.token.root.audience, resource = 'ixo:oracle' } = options;
  const resolver = resolverOf(options);
  const auth = createUcanAuth({
    audiences: [audience],
    resources: [resource],
    resolvers: resolver === undefined ? [] : [resolver],
    now: () => nowSeconds,
  });
  try {
    const invocation = await auth.invocation(token);
    const [identity, delegation] = [await auth.delegationIdentity(token), await auth.delegation(token)];
    const lines = [
      ...describeToken(decoding.token, nowSeconds),
      '',
      `For the service ${audience}:`,
      `  as an invocation of ${resource}: ${invocation.ok ? `accepted, from ${invocation.verdict.issuer}` : refusal(invocation.code)}`,
      `  as a delegation: ${identity.ok ? `accepted, from ${identity.verdict.issuer}` : refusal(identity.code)}`,
      ...(identity.ok ? [`  what of it holds: ${delegation.ok ? inWords(delegation.verdict) : 'nothing'}`] : []),
      'Revocations are not looked up.',
    ];
    return { text: lines.join('\n'), isAccepted: invocation.ok || identity.ok };
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
