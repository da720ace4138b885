import type { DecodedToken, DecodedUcan } from './decode-token.js';
import type { Capability } from './ucan-block.js';

/** What a token says, in plain words: one line per statement, proofs indented below what rests on them. */
export function describeToken({ root, ucans }: DecodedToken, nowSeconds: number): readonly string[] {
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
      ...ucan.capabilities.map((capability) => `${inner}may  ${capabilityInWords(capability)}`),
      `${inner}${timesInWords(ucan, nowSeconds)}`,
      ...ucan.proofs.flatMap((proof, index) => describe(proof, inner, `proof ${index + 1}`)),
    ];
  }

  const counted = ucans.length === 1 ? 'no proofs' : `${ucans.length - 1} of them as proofs`;
  return [`${ucans.length} UCAN${ucans.length === 1 ? '' : 's'}, ${counted}`, ...describe(root, '', 'token')];
}

export function capabilityInWords({ can, with: resource, nb }: Capability): string {
  const what = can === '*' ? 'do anything (*)' : can.endsWith('/*') ? `do anything of ${can}` : `do ${can}`;
  const caveats = nb === undefined || Object.keys(nb).length === 0 ? '' : `, only where ${JSON.stringify(nb)}`;
  return printable(`${what} on ${resource}${caveats}`);
}

/** Tokens are written by others: what would steer a terminal is shown by its number. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

function timesInWords({ notBefore, expiresAt }: DecodedUcan, nowSeconds: number): string {
  const begins = notBefore === 0 ? '' : `from ${at(notBefore)} `;
  if (!Number.isFinite(expiresAt)) return `good ${begins}for ever`;
  const left = expiresAt - nowSeconds;
  return `good ${begins}until ${at(expiresAt)} (${left > 0 ? `${left} s left` : `expired ${-left} s ago`})`;
}

function at(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString().replace('.000', '');
}
