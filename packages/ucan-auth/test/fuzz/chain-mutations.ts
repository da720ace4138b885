import type { Capability } from '../../src/auth.js';
import { NOW, ORACLE } from '../forge.js';
import { ABILITIES, type Chain, caveatsOf, type Draft, resourcesOf, SHARED } from './chain.js';
import type { Dice } from './dice.js';
import { people } from './principals.js';

/** Changes UCANs before they are signed. */
type ChainMutation = (chain: Chain, dice: Dice) => void;

const anyDid = (dice: Dice) => dice.pick(people).did;
const anyResource = (dice: Dice) => dice.pick([...SHARED, ...resourcesOf(anyDid(dice))]);
const oneOf = ({ drafts }: Chain, dice: Dice): Draft => dice.pick(drafts);
const lastOf = ({ drafts }: Chain): Draft => {
  const last = drafts.at(-1);
  if (last === undefined) throw new RangeError('an empty chain');
  return last;
};

function changeOneCapability(chain: Chain, dice: Dice, change: (capability: Capability) => Capability): void {
  const draft = oneOf(chain, dice);
  const at = dice.below(draft.att.length);
  draft.att = draft.att.map((capability, index) => (index === at ? change(capability) : capability));
}

/** Inserts a UCAN before the one at `at`, as its proof. */
function insert(chain: Chain, at: number, draft: Draft): void {
  for (const later of chain.drafts.slice(at)) later.prf = later.prf.map((proof) => (proof >= at ? proof + 1 : proof));
  chain.drafts.splice(at, 0, draft);
  chain.drafts[at + 1]?.prf.push(at);
}

function selfMade(dice: Dice, audience: string, att: Capability[]): Draft {
  const issuer = dice.pick(people);
  return { issuer, signedBy: issuer, audience, att, exp: NOW + 600, prf: [], nnc: `${dice.below(1e6)}` };
}

/** Another text of a resource that ucanto accepts for signing. */
function otherSpelling(resource: string, dice: Dice): string {
  const spellings = [
    `${resource}*`,
    `${resource}/*`,
    `${resource}:*`,
    `${resource}/../box`,
    `${resource}0`,
    resource.slice(0, -1),
    resource.toUpperCase(),
    resource.replace('did:', 'did%3A'),
    resource.replace(/.did:/, (text) => text.replaceAll(':', '%3A')),
    `x:${resource}`,
    `ixo:${anyDid(dice)}:${resource}`,
    `${resource}/${anyDid(dice)}`,
    resource.replace(/[^:/]+$/, '*'),
    'ucan:*',
    'did:*',
    'did:key:*',
    'ixo:*',
  ];
  return dice.pick(spellings.filter((spelling) => URL.canParse(spelling)));
}

/** UCANs per layer and number of layers; the last pair exceeds the limits of a token. */
const THICKETS = [
  [1, 4],
  [2, 3],
  [2, 4],
  [3, 3],
  [4, 2],
  [4, 4],
] as const;

/** The places in the layer before that of `index`, where a layer has `wide` places. */
function layerBefore(index: number, wide: number): number[] {
  const start = Math.floor(index / wide) * wide - wide;
  return start < 0 ? [] : Array.from({ length: wide }, (_, place) => start + place);
}

export const CHAIN_MUTATIONS: Readonly<Record<string, ChainMutation>> = {
  'another issuer': (chain, dice) => {
    const draft = oneOf(chain, dice);
    draft.issuer = dice.pick(people);
    draft.signedBy = draft.issuer;
  },
  'a signature by another': (chain, dice) => {
    oneOf(chain, dice).signedBy = dice.pick(people);
  },
  'another audience': (chain, dice) => {
    oneOf(chain, dice).audience = dice.pick([ORACLE, anyDid(dice), 'did:web:elsewhere.example']);
  },
  'a proof left out': (chain, dice) => {
    const draft = oneOf(chain, dice);
    draft.prf.splice(dice.below(draft.prf.length), 1);
  },
  'a proof of another place in the chain': (chain, dice) => {
    const at = dice.below(chain.drafts.length);
    if (at > 0) chain.drafts[at]?.prf.push(dice.below(at));
  },
  'a self-made proof of the same': (chain, dice) => {
    const at = dice.below(chain.drafts.length);
    const user = chain.drafts[at];
    if (user !== undefined) insert(chain, at, selfMade(dice, user.issuer.did, [...user.att]));
  },
  'a self-made proof of another thing': (chain, dice) => {
    const at = dice.below(chain.drafts.length);
    const user = chain.drafts[at];
    const capability = { can: dice.pick(ABILITIES), with: anyResource(dice) };
    if (user !== undefined) insert(chain, at, selfMade(dice, user.issuer.did, [capability]));
  },
  'a capability more, of the same owner': (chain, dice) => {
    const draft = oneOf(chain, dice);
    const [first] = chain.drafts;
    const capability = { can: dice.pick(ABILITIES), with: dice.pick(resourcesOf(first?.issuer.did ?? '')) };
    draft.att.splice(dice.below(draft.att.length + 1), 0, capability);
  },
  'a capability more and a self-made proof of it': (chain, dice) => {
    const [first] = chain.drafts;
    const can = dice.pick(['*', ...lastOf(chain).att.map((capability) => capability.can)]);
    const capability = { can, with: dice.pick(resourcesOf(first?.issuer.did ?? '')) };
    lastOf(chain).att.splice(dice.below(2), 0, capability);
    insert(chain, chain.drafts.length - 1, selfMade(dice, lastOf(chain).issuer.did, [capability]));
    if (dice.percent(50)) chain.question = { ask: 'grant', capability };
  },
  'no capability but one': (chain, dice) => {
    const draft = oneOf(chain, dice);
    draft.att = [dice.pick(draft.att)];
  },
  'another ability': (chain, dice) =>
    changeOneCapability(chain, dice, (own) => ({
      ...own,
      can: dice.pick([...ABILITIES, `${own.can}/x`, 'box/re*', 'ucan/*', 'ucan/attest', 'boxes/read', 'BOX/READ']),
    })),
  'another resource': (chain, dice) => changeOneCapability(chain, dice, (own) => ({ ...own, with: anyResource(dice) })),
  'a resource spelt in another way': (chain, dice) =>
    changeOneCapability(chain, dice, (own) => ({ ...own, with: otherSpelling(own.with, dice) })),
  'other caveats': (chain, dice) =>
    changeOneCapability(chain, dice, ({ can, with: resource }) => ({
      can,
      with: resource,
      ...(dice.percent(50) ? { nb: caveatsOf(dice) } : {}),
    })),
  'another end': (chain, dice) => {
    oneOf(chain, dice).exp = dice.pick([null, 0, NOW - 1, NOW, NOW + 900, NOW + 901, NOW + 10 ** 9]);
  },
  'another beginning': (chain, dice) => {
    oneOf(chain, dice).nbf = dice.pick([1, NOW - 1, NOW, NOW + 1, NOW + 600]);
  },
  'a thicket of proofs': (chain, dice) => {
    const last = lastOf(chain);
    const { issuer } = last;
    const att = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(last.att));
    const [wide, layers] = dice.pick(THICKETS);
    const [firstEnd, isOfOne] = [dice.pick([NOW - 1, NOW + 600]), dice.percent(50)];
    const more = Array.from({ length: wide * layers }, (_, index) => ({
      ...selfMade(dice, issuer.did, att),
      ...(isOfOne || dice.percent(80) ? { issuer, signedBy: issuer } : {}),
      ...(index < wide ? { exp: firstEnd } : {}),
      prf: layerBefore(index, wide),
    }));
    chain.drafts = [...more, { ...last, prf: layerBefore(more.length, wide) }];
  },
  'another ability asked for': (chain, dice) => {
    chain.question = { ask: 'grant', capability: { ...dice.pick(lastOf(chain).att), can: dice.pick(ABILITIES) } };
  },
  'another question about the same': (chain, dice) => {
    const capability = dice.pick(lastOf(chain).att);
    chain.question = dice.pick([
      { ask: 'invocation' },
      { ask: 'delegation' },
      { ask: 'identity' },
      { ask: 'authorize', capability },
      { ask: 'consent', capability, issuer: anyDid(dice) },
      { ask: 'grant', capability },
      { ask: 'grant', capability: { can: dice.pick(ABILITIES), with: anyResource(dice) } },
      { ask: 'grant', capability: { ...capability, with: otherSpelling(capability.with, dice) } },
      { ask: 'grant', capability: { ...capability, nb: caveatsOf(dice) } },
    ]);
  },
};
