import { CBOR, Delegation } from '@ucanto/core';
import type * as API from '@ucanto/interface';
import { Verifier } from '@ucanto/principal/ed25519';
import { capability, claim, Failure, Schema } from '@ucanto/validator';
import { vi } from 'vitest';
import type { Capability } from '../../src/auth.js';
import { blockOf, mallory, NOW, ORACLE, ucanBlock } from '../forge.js';
import type { TokenUse } from '../token-use.js';
import { keysOf, oracle } from './principals.js';

/** Intended differences: ucanto refuses, this package accepts. Each is allowed only for a token with its cause. */
export type Difference =
  /** A UCAN with `nbf` now: ucanto requires an earlier one, the specification does not. */
  | 'begins now'
  /** A caveat that is a list, a map, bytes or a link: ucanto compares objects, this package content. */
  | 'caveats by content';

export type StockAnswer = { readonly ok: true; readonly differences: readonly Difference[] } | { readonly ok: false };

/** One claimed capability, with the invocation and the kind of proof. */
interface Claim {
  readonly invocation: API.Delegation;
  readonly wanted: Capability;
  readonly proofKind: 'authority' | 'identity';
  /** Whether the service minted the invocation, with the delegation as its proof. */
  readonly isOfService?: boolean;
}

/**
 * Whether ucanto, unchanged, with its own decoder, validator and signature checks, accepts a token for a use. Its options define the
 * owners of resources (`canIssue`) and the keys of a did:ixo. The clock must be a fake.
 */
export async function ucantoAnswer(token: string, question: TokenUse): Promise<StockAnswer> {
  const extraction = await Delegation.extract(Buffer.from(token, 'base64'));
  if (extraction.error !== undefined || extraction.ok.audience.did() !== ORACLE) return { ok: false };
  const claims = await claimsOf(extraction.ok, question);
  for (const differences of possibleDifferences(extraction.ok)) {
    for (const one of claims) if (await holds(one, differences)) return { ok: true, differences };
  }
  return { ok: false };
}

/** At least one of them must be valid. */
async function claimsOf(root: API.Delegation, question: TokenUse): Promise<readonly Claim[]> {
  const all = root.capabilities as readonly Capability[];
  switch (question.ask) {
    case 'invocation':
      return all.length === 1 && all[0]?.can === '*'
        ? [{ invocation: root, wanted: all[0], proofKind: 'authority' }]
        : [];
    case 'authorize':
      return onlyOne(root, question.capability, 'authority');
    case 'consent':
      return root.issuer.did() === question.issuer ? onlyOne(root, question.capability, 'identity') : [];
    case 'identity':
      return all.map((wanted) => ({ invocation: root, wanted, proofKind: 'identity' }));
    case 'delegation':
      return Promise.all(all.map((wanted) => invokedByService(root, wanted)));
    case 'grant':
      return [await invokedByService(root, question.capability)];
  }
}

function onlyOne(root: API.Delegation, { can, with: resource }: Capability, proofKind: Claim['proofKind']): Claim[] {
  const all = root.capabilities as readonly Capability[];
  const isClaimed = all.length === 1 && all[0]?.can === can && all[0].with === resource;
  return isClaimed ? all.map((wanted) => ({ invocation: root, wanted, proofKind })) : [];
}

/** A delegation to the service grants the capabilities that the service can invoke with it. */
async function invokedByService(root: API.Delegation, wanted: Capability): Promise<Claim> {
  const proof = { cid: root.cid as API.UCANLink, bytes: root.root.bytes };
  const { cid, bytes } = await ucanBlock({ signer: oracle, audience: ORACLE, att: [wanted], prf: [proof] });
  const blocks = new Map<string, API.Block>([...root.export()].map((block) => [block.cid.toString(), block]));
  blocks.set(cid.toString(), { cid, bytes });
  return { invocation: Delegation.view({ root: cid, blocks }), wanted, proofKind: 'authority', isOfService: true };
}

async function holds(one: Claim, differences: readonly Difference[]): Promise<boolean> {
  const { invocation, wanted } = one;
  const parser = capability({
    can: wanted.can as API.Ability,
    with: AS_IT_STANDS,
    nb: Schema.dictionary({ value: Schema.unknown() }),
    ...(differences.includes('caveats by content') ? { derives: derivesByContent } : {}),
  });
  const beginners = [...invocation.iterate(), invocation].filter((ucan) => ucan.proofs.length === 0);
  vi.setSystemTime((differences.includes('begins now') ? NOW + 1 : NOW) * 1000);
  const result = await claim(parser, [invocation], {
    authority: Verifier.parse(mallory.keyDid).withDID('did:web:authority.example'),
    principal: Verifier,
    canIssue: (claimed, issuer) => {
      const { delegation } = claimed as { readonly delegation?: API.Delegation };
      if (one.isOfService === true && delegation?.cid.equals(invocation.cid) === true) return false;
      const isFree = one.proofKind === 'identity' || !namesDid(wanted.with);
      return isOwner(issuer, wanted.with) || (isFree && beginners.some((ucan) => ucan.issuer.did() === issuer));
    },
    resolveDIDKey: (did) => ({ ok: keysOf(did) as API.DID<'key'>[] }),
    validateAuthorization: () => ({ ok: {} }),
  });
  return result.error === undefined;
}

// ucanto's `Schema.uri()` would rewrite resources as URLs, `https:*` with two slashes and a third at the end.
const AS_IT_STANDS = { read: (input: unknown): API.Result<API.URI, API.Failure> => ({ ok: input as API.URI }) };

/** An independent form of the owner rule: the text from the first DID on starts with the owner's. */
function isOwner(did: string, resource: string): boolean {
  const [rest] = fromFirstDid(resource);
  return rest?.startsWith(did) === true && !/^[\w.%-]/.test(rest.slice(did.length));
}

const namesDid = (resource: string) => fromFirstDid(resource).length > 0;

function fromFirstDid(resource: string): readonly string[] {
  for (let at = 0; at < resource.length; at++) {
    const isWordStart = at === 0 || !/[a-z0-9]/i.test(resource.charAt(at - 1));
    if (isWordStart && /^(did:|did%3a)/i.test(resource.slice(at))) return [resource.slice(at)];
  }
  return [];
}

/** ucanto's rule, except for the comparison of caveats. */
function derivesByContent(claimed: Capability, granted: Capability): API.Result<API.Unit, API.Failure> {
  const { with: family } = granted;
  const isCovered = family.endsWith('*') ? claimed.with.startsWith(family.slice(0, -1)) : claimed.with === family;
  const isBound = Object.entries(granted.nb ?? {}).every(
    ([name, value]) => contentOf(claimed.nb?.[name]) === contentOf(value),
  );
  return isCovered && isBound ? { ok: {} } : { error: new Failure('not covered') };
}

const contentOf = (value: unknown) => (value === undefined ? undefined : blockOf(CBOR.encode(value)).cid.toString());

function possibleDifferences(root: API.Delegation): readonly (readonly Difference[])[] {
  const all = [root, ...root.iterate()];
  const caveats = all.flatMap((ucan) => ucan.capabilities.flatMap(({ nb }) => Object.values(nb ?? {})));
  const times: Difference[][] = all.some((ucan) => ucan.notBefore === NOW) ? [[], ['begins now']] : [[]];
  const contents: Difference[][] = caveats.some((value) => typeof value === 'object')
    ? [[], ['caveats by content']]
    : [[]];
  return times.flatMap((time) => contents.map((content) => [...time, ...content]));
}
