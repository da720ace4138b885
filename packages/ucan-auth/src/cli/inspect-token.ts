import { createUcanAuth } from '../auth.js';
import { type DecodedToken, type DecodedUcan, decodeToken } from '../decode/decode-token.js';
import { REFUSAL_TEXTS, type RefusalCode } from '../decode/refusal.js';
import type { Capability } from '../decode/ucan-block.js';
import { createIxoDidResolver } from '../dids/ixo-did-resolver.js';

export interface InspectOptions {
  /** DID of the service that would receive the token. Default: the token's audience. */
  readonly audience?: string | undefined;
  /** Default `ixo:oracle`. */
  readonly resource?: string | undefined;
  /** Chain indexer for keys of did:ixo issuers. Default: none. */
  readonly graphqlUrl?: string | undefined;
  /** Query gateway for keys of did:ixo issuers. Default: none. */
  readonly gatewayUrl?: string | undefined;
  /** Unix seconds. */
  readonly nowSeconds: number;
}

export interface Inspection {
  /** Content of the token, and whether the service would accept it as an invocation and as a delegation. */
  readonly text: string;
  /** Whether it is accepted as at least one of the two. */
  readonly isAccepted: boolean;
}

/** Describes a token and verifies it as a service would, without revocations. */
export async function inspectToken(token: string, options: InspectOptions): Promise<Inspection> {
  const decoding = decodeToken(token);
  if (!decoding.ok) return { text: `This is not a valid token. ${refusal(decoding.code)}`, isAccepted: false };
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
    const granted = delegation.ok ? delegation.result.capabilities.map(capabilityText).join('; ') : 'nothing';
    const lines = [
      ...describeToken(decoding.token, nowSeconds),
      '',
      `For the service ${audience}:`,
      `  as an invocation of ${resource}: ${invocation.ok ? `accepted, from ${invocation.result.issuer}` : refusal(invocation.code)}`,
      `  as a delegation: ${identity.ok ? `accepted, from ${identity.result.issuer}` : refusal(identity.code)}`,
      ...(identity.ok ? [`  valid grants of the delegation: ${granted}`] : []),
      'Revocations are not looked up.',
    ];
    return { text: lines.join('\n'), isAccepted: invocation.ok || identity.ok };
  } finally {
    await resolver?.close();
  }
}

function refusal(code: RefusalCode): string {
  return `refused (${code}): ${REFUSAL_TEXTS[code]}`;
}

function resolverOf({ graphqlUrl, gatewayUrl }: InspectOptions) {
  if (graphqlUrl !== undefined) return createIxoDidResolver({ graphqlUrl });
  return gatewayUrl === undefined ? undefined : createIxoDidResolver({ gatewayUrl });
}

/** The content of a token, one line per field, proofs indented below the UCAN that uses them. */
function describeToken({ root, ucans }: DecodedToken, nowSeconds: number): readonly string[] {
  const seen = new Set<DecodedUcan>();

  function describe(ucan: DecodedUcan, indent: string, title: string): readonly string[] {
    const cid = ucan.cid.toString();
    if (seen.has(ucan)) return [`${indent}${title}: ${cid}, described above`];
    seen.add(ucan);
    const inner = `${indent}  `;
    return [
      `${indent}${title}: ${cid}`,
      `${inner}from ${ucan.issuer}`,
      `${inner}to   ${ucan.audience}`,
      ...ucan.capabilities.map((capability) => `${inner}may  ${capabilityText(capability)}`),
      `${inner}${timesText(ucan, nowSeconds)}`,
      ...ucan.proofs.flatMap((proof, index) => describe(proof, inner, `proof ${index + 1}`)),
    ];
  }

  const counted = ucans.length === 1 ? 'no proofs' : `${ucans.length - 1} of them as proofs`;
  return [`${ucans.length} UCAN${ucans.length === 1 ? '' : 's'}, ${counted}`, ...describe(root, '', 'token')];
}

function capabilityText({ can, with: resource, nb }: Capability): string {
  const what = can === '*' ? 'do anything (*)' : can.endsWith('/*') ? `do anything of ${can}` : `do ${can}`;
  const caveats = nb === undefined || Object.keys(nb).length === 0 ? '' : `, only where ${JSON.stringify(nb)}`;
  return printable(`${what} on ${resource}${caveats}`);
}

/** Replaces control characters, which a hostile token could use to control the terminal, by their code points. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

function timesText({ notBefore, expiresAt }: DecodedUcan, nowSeconds: number): string {
  const begins = notBefore === 0 ? '' : `from ${at(notBefore)} `;
  if (!Number.isFinite(expiresAt)) return `good ${begins}for ever`;
  const left = expiresAt - nowSeconds;
  return `good ${begins}until ${at(expiresAt)} (${left > 0 ? `${left} s left` : `expired ${-left} s ago`})`;
}

function at(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString().replace('.000', '');
}
