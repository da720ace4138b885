import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { MemorySessionStore } from '../src/sessions/memory-session-store.js';
import { openTestApp } from './support/test-app.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const DIALS = 700;
/** Longer than a session, its retention and its resume point together. */
const ALL_OVER_MS = 3_600_000;
const MEBIBYTE = 1024 * 1024;

describe('sessions in memory', () => {
  it('are small, and release their memory: the heap after expired dials is the same as before', async () => {
    let nowMs = 0;
    const clock = () => nowMs;
    const app = await openTestApp({ store: new MemorySessionStore({ clock }), clock, findCaller: async () => ({}) });
    let wave = 0;

    /** Each phone dials and takes a step; long after, the next dial finds all sessions expired. */
    async function dialAndForget(): Promise<number> {
      wave += 1;
      for (let index = 0; index < DIALS; index += 1) {
        await hop(`${wave}-${index}`, `+26097${wave}${100_000 + index}`, '');
        await hop(`${wave}-${index}`, `+26097${wave}${100_000 + index}`, '2');
      }
      const full = usedBytes();
      nowMs += ALL_OVER_MS;
      await hop(`${wave}-last`, '+260961234567', '');
      const used = usedBytes();
      const bytesPerDial = (full - used) / DIALS;
      expect(bytesPerDial).toBeGreaterThan(200);
      // Tens of thousands of sessions fit next to the service.
      expect(bytesPerDial).toBeLessThan(8_192);
      return used;
    }

    async function hop(sessionId: string, phoneNumber: string, text: string): Promise<void> {
      const payload = { sessionId, serviceCode: '*384#', phoneNumber, text };
      const reply = await app.inject({ method: 'POST', url: '/api/ussd', payload });
      expect(reply.body).toMatch(/^CON /);
    }

    // The first wave also pays for compiled code and for tables that grow once.
    await dialAndForget();
    const before = await dialAndForget();
    const after = Math.max(await dialAndForget(), await dialAndForget());
    expect(after - before).toBeLessThan(0.7 * MEBIBYTE);
    await app.close();
  }, 120_000);
});

function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
