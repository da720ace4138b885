import { describe, expect, it } from 'vitest';
import { whenPaid, withHoldRetry } from './admission.js';

describe('what is set aside for a message that does not begin', () => {
  it('is let go later where that fails at once, and just once', async () => {
    const held = new Set<string>();
    const asked: string[] = [];
    let isAway = false;
    const gate = withHoldRetry({
      demandOf: async ({ runId }) => {
        held.add(runId);
        isAway = true;
        return undefined;
      },
      release: async (runId) => {
        asked.push(runId);
        if (isAway) throw new Error('away');
        held.delete(runId);
      },
    });
    const refused = whenPaid(gate, { ownerDid: 'o', sessionId: 's', runId: 'r' }, async () => {
      throw new Error('not kept');
    });
    await expect(refused).rejects.toThrow('not kept');
    await expect(gate.retryReleases()).rejects.toThrow('away');
    expect([...held]).toEqual(['r']);
    isAway = false;
    await gate.retryReleases();
    await gate.retryReleases();
    expect([...held]).toEqual([]);
    expect(asked).toEqual(['r', 'r', 'r']);
  });

  it('is let go where the gate has nothing to let go', async () => {
    const gate = withHoldRetry({ demandOf: async () => undefined });
    await expect(gate.release('r')).resolves.toBeUndefined();
    await expect(gate.retryReleases()).resolves.toBeUndefined();
  });
});
