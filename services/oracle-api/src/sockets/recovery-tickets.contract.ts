import { describe, expect, it, vi } from 'vitest';
import type { RecoveryTickets } from './member.js';

const right = { expiresAtMs: 7, path: [{ cid: 'bafyuse', issuer: 'did:key:a' }] };
const ticket = { id: 'm1', did: 'did:key:a', sessionId: 's1', credentials: ['x'], joinedAtMs: 5, right };

/** Contract of every store of recovery tickets. */
export function recoveryTicketsContract(name: string, open: () => Promise<RecoveryTickets>): void {
  describe(`${name} as recovery tickets`, () => {
    it('can be read until they expire, and are renewed by saving them again', async () => {
      const tickets = await open();
      await tickets.save('secret', ticket, 60_000);
      await tickets.save('secret', { ...ticket, id: 'm2' }, 60_000);
      expect(await tickets.find('secret')).toEqual({ ...ticket, id: 'm2' });
      expect(await tickets.find('another')).toBeUndefined();
      await tickets.drop('secret');
      expect(await tickets.find('secret')).toBeUndefined();
    });

    it('are taken once under concurrency', async () => {
      const tickets = await open();
      await tickets.save('secret', ticket, 60_000);
      const taken = await Promise.all(Array.from({ length: 5 }, () => tickets.take('secret')));
      expect(taken.filter((each) => each !== undefined)).toEqual([ticket]);
    });

    it('expire', async () => {
      const tickets = await open();
      await tickets.save('secret', ticket, 20);
      await vi.waitFor(async () => expect(await tickets.find('secret')).toBeUndefined(), 15_000);
      expect(await tickets.take('secret')).toBeUndefined();
    });
  });
}
