import type { Capability } from '../../src/auth.js';
import type { UcanSigner } from '../../src/mint/minting.js';
import { cidOf, NOW, ORACLE } from '../forge.js';
import type { TokenUse } from '../token-use.js';
import type { Dice } from './dice.js';
import { people } from './principals.js';

/** A UCAN before it is signed. */
export interface Draft {
  issuer: UcanSigner;
  /** The signer; the issuer in a valid UCAN. */
  signedBy: UcanSigner;
  audience: string;
  att: Capability[];
  exp: number | null;
  nbf?: number;
  nnc?: string;
  fct?: object[];
  /** Places of its proofs in the chain, all before its own. */
  prf: number[];
}

/** UCANs, each after its proofs, and the use of the last one. */
export interface Chain {
  drafts: Draft[];
  question: TokenUse;
}

/** Resources owned by `did`. */
export function resourcesOf(did: string): readonly string[] {
  return [
    did,
    `${did}/box`,
    `${did}/box/deep`,
    `${did}:box`,
    `${did}#box`,
    `ixo:oracle:${did}:mcp/files/read`,
    `https://boxes.example/${did}/box`,
    `${did}/shared/${people[1]?.did}`,
  ];
}

export const SHARED = ['ixo:oracle', 'ixo:memory', 'ixo:box/a/b', 'https://example.com/a', 'candid:thing'] as const;
export const ABILITIES = ['box/read', 'box/write', 'store/add', 'box/*', '*'] as const;
/** The one resource of the invocations here that has an owner. */
export const GUARDED = `${people[5]?.did}/chat`;

/** Text, a number, and values that are equal by content only. */
const CAVEATS: readonly unknown[] = [1, 'x', true, [1, 2], { a: 1 }, Buffer.from('x'), cidOf(Buffer.from('x'))];

/** The use, the resources and the holders of a chain. */
interface Plan {
  readonly ask: TokenUse['ask'];
  readonly holders: readonly UcanSigner[];
  /** From the claimed one to the widest. */
  readonly abilities: readonly string[];
  readonly resources: readonly string[];
  readonly caveats: Record<string, unknown> | undefined;
}

/** Uses of an invocation, which has exactly the claimed capability. */
const USES: ReadonlySet<TokenUse['ask']> = new Set(['invocation', 'authorize', 'consent']);

/** A chain with a valid start, and its use. */
export function honestChain(dice: Dice): Chain {
  const ask = dice.pick(['invocation', 'authorize', 'consent', 'grant', 'delegation', 'identity'] as const);
  const holders = Array.from({ length: 1 + dice.below(dice.percent(20) ? 5 : 3) }, () => dice.pick(people));
  const resource = resourceFor(dice, ask, holders);
  const can = ask === 'invocation' ? '*' : dice.pick(['box/read', 'store/add']);
  const plan: Plan = {
    ask,
    holders,
    abilities: can === '*' ? ['*'] : [can, `${can.split('/')[0]}/*`, '*'],
    resources: [resource, ...familiesOf(resource)],
    caveats: ask !== 'invocation' && dice.percent(25) ? caveatsOf(dice) : undefined,
  };
  const claimed: Capability = { can, with: resource, ...caveatsField(plan.caveats) };
  return { drafts: draftsOf(plan, dice), question: questionOf(ask, claimed, holders.at(-1)?.did ?? '') };
}

/** Capabilities do not narrow from the last UCAN up to the owner. */
function draftsOf({ ask, holders, abilities, resources, ...plan }: Plan, dice: Dice): Draft[] {
  const isUse = USES.has(ask);
  let { caveats } = plan;
  let [ability, family] = isUse ? [0, 0] : [dice.below(abilities.length), dice.below(resources.length)];
  const drafts: Draft[] = [];
  for (const [index, issuer] of [...holders.entries()].reverse()) {
    const isLastUse = isUse && index === holders.length - 1;
    const main = { can: abilities[ability] ?? '*', with: resources[family] ?? '', ...caveatsField(caveats) };
    drafts.unshift({
      issuer,
      signedBy: issuer,
      audience: holders[index + 1]?.did ?? ORACLE,
      att: isLastUse ? [main] : [...extras(dice), main, ...extras(dice)],
      exp: NOW + 2 + dice.below(isLastUse ? 899 : 86_400),
      prf: index === 0 ? [] : [index - 1],
      ...furtherFields(dice),
    });
    ability += dice.below(abilities.length - ability);
    family += dice.below(resources.length - family);
    if (dice.percent(40)) caveats = undefined;
  }
  return drafts;
}

const caveatsField = (nb: Record<string, unknown> | undefined) => (nb === undefined ? {} : { nb });

function resourceFor(dice: Dice, ask: TokenUse['ask'], holders: UcanSigner[]): string {
  if (ask === 'invocation') {
    if (dice.percent(70)) return 'ixo:oracle';
    holders[0] = people[5] ?? dice.pick(people);
    return GUARDED;
  }
  return dice.percent(30) ? dice.pick(SHARED) : dice.pick(resourcesOf(holders[0]?.did ?? ''));
}

/** Families that cover a resource and have its owner. */
function familiesOf(resource: string): string[] {
  const end = resource.search(/did:/) < 0 ? resource.indexOf(':') : endOfDid(resource);
  const boundaries = [...resource.matchAll(/[:/]/g)].map((match) => match.index).filter((index) => index >= end);
  const families = boundaries.reverse().map((index) => `${resource.slice(0, index + 1)}*`);
  return families.filter((family) => family.length <= resource.length && URL.canParse(family));
}

function endOfDid(resource: string): number {
  const did = people.map((person) => person.did).find((one) => resource.includes(one)) ?? '';
  return resource.indexOf(did) + did.length;
}

export function caveatsOf(dice: Dice): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: 1 + dice.below(2) }, () => [dice.pick(['only', 'size']), dice.pick(CAVEATS)]),
  );
}

function extras(dice: Dice): Capability[] {
  const other = () => dice.pick([...SHARED, ...people.flatMap(({ did }) => resourcesOf(did))]);
  return Array.from({ length: dice.percent(70) ? 0 : 1 + dice.below(2) }, () => ({
    can: dice.pick(ABILITIES),
    with: other(),
  }));
}

function furtherFields(dice: Dice): Pick<Draft, 'nbf' | 'nnc' | 'fct'> {
  return {
    ...(dice.percent(20) ? { nbf: NOW - dice.below(3) } : {}),
    ...(dice.percent(50) ? { nnc: `${dice.below(1e6)}` } : {}),
    ...(dice.percent(20) ? { fct: [{ said: dice.pick(CAVEATS), more: [0.5, null, -3] }] } : {}),
  };
}

function questionOf(ask: TokenUse['ask'], capability: Capability, issuer: string): TokenUse {
  if (ask === 'consent') return { ask, capability, issuer };
  return ask === 'authorize' || ask === 'grant' ? { ask, capability } : { ask };
}
