import { keyringOf } from '@mlango/crypto/keyring';
import { describe, expect, it } from 'vitest';
import { linkCodes } from './link-codes.js';
import { PhoneLinks, type PhoneLinksOptions } from './phone-links.js';

const codes = linkCodes(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 1) }]));

/** Links on a store in which the first codes are those of others. */
function linksWithTaken(taken: number) {
  const saved: string[] = [];
  const saveCode = async (mac: string) => saved.push(mac) > taken;
  let next = 0;
  const randomBytes = (count: number) => new Uint8Array(count).fill(next++);
  const options = { store: { saveCode }, codes, randomBytes } as unknown as PhoneLinksOptions;
  return { links: new PhoneLinks(options), saved };
}

describe('a code that another one has', () => {
  it('is not given to a person', async () => {
    const { links, saved } = linksWithTaken(2);
    const { code } = await links.makeCode('did:key:a');
    expect(codes.macOf(code)).toBe(saved[2]);
    expect(new Set(saved).size).toBe(3);
  });

  it('is not shown on a phone, and a repeated call shows the same other code', async () => {
    const shown = async () => {
      const { links, saved } = linksWithTaken(1);
      const request = { key: 'one', phoneNumber: '+254711000001', service: 'default' };
      const { facts } = await links.checks.makeLinkCode(request as never);
      expect(codes.macOf(String(facts?.['linkCode']))).toBe(saved[1]);
      return facts;
    };
    expect(await shown()).toEqual(await shown());
  });

  it('ends the search after three codes', async () => {
    const { links, saved } = linksWithTaken(9);
    await expect(links.makeCode('did:key:a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(saved).toHaveLength(3);
  });
});
