import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alice, mallory } from '../../test/forge.js';
import { ownerOf } from './resource-owner.js';

const ENTITY = 'did:ixo:entity:0f3c8b7e';
const ACCOUNT = 'did:ixo:ixo1alice';

describe('the owner of a resource', () => {
  it.each([
    [alice.did, alice.did],
    [`${alice.did}/box`, alice.did],
    [`${alice.did}:box`, alice.did],
    [`${alice.did}#box`, alice.did],
    [`${alice.did}/*`, alice.did],
    [`ixo:oracle:${ENTITY}:mcp/files/read`, ENTITY],
    [`ixo:oracle:${ACCOUNT}:mcp/files/read`, ACCOUNT],
    [`https://example.com/boxes/${ENTITY}`, ENTITY],
    ['did:web:example.com:people:one/box', 'did:web:example.com:people:one'],
  ])('of %s is the DID in it', (resource, owner) => {
    expect(ownerOf(resource)).toBe(owner);
  });

  it('is the first of several', () => {
    expect(ownerOf(`${alice.did}/shared-with/${mallory.did}`)).toBe(alice.did);
    expect(ownerOf(`ixo:oracle:${ENTITY}:users/${mallory.did}`)).toBe(ENTITY);
  });

  it.each(['ixo:oracle', 'ixo:memory', 'ixo:*', 'candid:thing', 'mailto:someone@example.com', 'https://example.com/'])(
    'of %s is undefined, because it is shared',
    (resource) => expect(ownerOf(resource)).toBe(undefined),
  );

  it.each([
    'did:',
    'did:*',
    'did:key:',
    'did:key:*',
    `did%3Akey%3A${alice.did.slice(8)}/box`,
    alice.did.toUpperCase(),
    `${alice.did}0/box`,
    `${alice.did}%2Fbox`,
    'did:ixo:entity:',
  ])('of %s equals no issuer', (resource) => {
    const owner = ownerOf(resource);
    expect(owner).toBeDefined();
    expect([alice.did, mallory.did, ENTITY, ACCOUNT]).not.toContain(owner);
  });

  it('is never a part of a longer DID', () => {
    const idCharacters = fc.stringMatching(/^[A-Za-z0-9._-]{1,8}$/);
    fc.assert(
      fc.property(fc.constantFrom(alice.did, ENTITY, ACCOUNT), idCharacters, (did, more) => {
        expect(ownerOf(`${did}${more}/box`)).not.toBe(did);
      }),
    );
  });
});
