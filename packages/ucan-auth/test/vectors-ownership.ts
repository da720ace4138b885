import type { Capability } from '../src/auth.js';
import type { UcanSigner } from '../src/mint/minting.js';
import { alice, type Block, bob, mallory, NOW, ORACLE, tokenOf, ucanBlock } from './forge.js';
import { grantedBy, refusedAs, type Vector } from './vector.js';
import { account } from './vectors-honest.js';

const all = (resource: string): Capability => ({ can: '*', with: resource });

/** A delegation to the service, with its proofs enclosed. */
async function delegation(signer: UcanSigner, att: readonly Capability[], ...prf: Block[]): Promise<string> {
  return tokenOf(await ucanBlock({ signer, att, exp: NOW + 3600, prf }), prf);
}

const proof = (signer: UcanSigner, audience: UcanSigner, ...att: Capability[]): Promise<Block> =>
  ucanBlock({ signer, audience: audience.did, att, exp: NOW + 3600 });

/** Owners of resources: a resource belongs to the first DID in it, and every chain starts at its owner. */
export async function ownership(): Promise<Vector[]> {
  return [...(await selfMade()), ...(await handedOn()), ...(await severalClaims()), ...(await shared())];
}

/** Delegations of an issuer that does not own the resource. */
async function selfMade(): Promise<Vector[]> {
  const claimOn = (resource: string) => ({ can: 'box/read', with: resource });
  const cases: readonly (readonly [string, string, string])[] = [
    ['the DID of another issuer', alice.did, alice.did],
    ['a resource under the DID of another issuer', `${alice.did}/box`, `${alice.did}/box`],
    ['what is the service’s', `${ORACLE}/admin`, `${ORACLE}/admin`],
    ['a DID inside the resource', `ixo:oracle:${ORACLE}:mcp/files`, `ixo:oracle:${ORACLE}:mcp/files`],
    ['a DID in the path of a URL', `https://boxes.example/${alice.did}`, `https://boxes.example/${alice.did}`],
    ['an unknown account', 'did:ixo:ixo1nobody/box', 'did:ixo:ixo1nobody/box'],
    ['a resource that names its issuer second', `${alice.did}/of/${mallory.did}`, `${alice.did}/of/${mallory.did}`],
    ['a DID with more to its name', `${mallory.did}0/box`, `${mallory.did}0/box`],
    ['a DID that is escaped', `x:did%3Akey%3A${mallory.did.slice(8)}/box`, `x:did%3Akey%3A${mallory.did.slice(8)}/box`],
    ['a family that holds it', `ixo:oracle:${ORACLE}:mcp/files`, 'ixo:*'],
  ];
  return Promise.all(
    cases.map(async ([name, resource, granted]): Promise<Vector> => {
      const token = await delegation(mallory, [all(granted)]);
      return {
        name: `self-made, on ${name}`,
        token,
        ask: 'grant',
        capability: claimOn(resource),
        expected: refusedAs('not_authorized'),
      };
    }),
  );
}

async function handedOn(): Promise<Vector[]> {
  const box = all(`${alice.did}/box`);
  const tool: Capability = { can: 'mcp/call', with: `ixo:oracle:${account.did}:mcp/files` };
  const family = await proof(account, bob, all(`ixo:oracle:${account.did}:*`));
  const worthless = await proof(bob, mallory, box);
  return [
    {
      name: 'delegated by the owner, named inside the resource, by a family',
      token: await delegation(bob, [all(tool.with)], family),
      ask: 'grant',
      capability: tool,
      expected: grantedBy(bob.did, tool),
    },
    {
      name: 'delegated by an issuer that is not the owner',
      token: await delegation(mallory, [box], worthless),
      ask: 'grant',
      capability: box,
      expected: refusedAs('not_authorized'),
    },
    {
      name: 'used by an issuer without a grant of the owner',
      token: tokenOf(await ucanBlock({ signer: mallory, att: [box], prf: [worthless] }), [worthless]),
      ask: 'authorize',
      capability: box,
      expected: refusedAs('not_authorized'),
    },
    {
      name: 'another DID of the same key is another owner',
      token: await delegation(account, [box]),
      ask: 'grant',
      capability: box,
      expected: refusedAs('not_authorized'),
    },
    {
      name: 'an identity proof on any resource',
      token: await delegation(mallory, [box]),
      ask: 'identity',
      expected: grantedBy(mallory.did),
    },
  ];
}

/** Each capability needs a separate chain. */
async function severalClaims(): Promise<Vector[]> {
  const [box, open] = [all(`${alice.did}/box`), all(`${alice.did}/open`)];
  const prf = [await proof(bob, mallory, box), await proof(alice, mallory, open)];
  const token = await delegation(mallory, [box, open], ...prf);
  return [
    {
      name: 'a self-issued claim with one granted by the owner: the first',
      token,
      ask: 'grant',
      capability: box,
      expected: refusedAs('not_authorized'),
    },
    {
      name: 'a self-issued claim with one granted by the owner: the second',
      token,
      ask: 'grant',
      capability: open,
      expected: grantedBy(mallory.did, open),
    },
    {
      name: 'a self-issued claim with one granted by the owner: all valid ones',
      token,
      ask: 'delegation',
      expected: grantedBy(mallory.did, open),
    },
  ];
}

async function shared(): Promise<Vector[]> {
  const memory = all('ixo:memory');
  const lent = await proof(bob, alice, memory);
  const expired = await ucanBlock({ signer: bob, audience: alice.did, att: [memory], exp: NOW - 1 });
  return [
    {
      name: 'what is shared, granted by anybody for themself',
      token: await delegation(mallory, [memory]),
      ask: 'grant',
      capability: memory,
      expected: grantedBy(mallory.did, memory),
    },
    {
      name: 'a shared resource, delegated',
      token: await delegation(alice, [memory], lent),
      ask: 'grant',
      capability: memory,
      expected: grantedBy(alice.did, memory),
    },
    {
      name: 'what is shared, by an issuer that stands on a proof that has expired',
      token: await delegation(alice, [memory], expired),
      ask: 'grant',
      capability: memory,
      expected: refusedAs('not_authorized'),
    },
  ];
}
