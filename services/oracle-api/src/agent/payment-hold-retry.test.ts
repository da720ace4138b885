import { describe, expect, it } from 'vitest';
import { whenPaid, withHoldRetry } from './admission.js';

describe('the payment hold of a message without a run', () => {
  it('is released once by a retry when the first release fails', async () => {
    const held = new Set<string>();
    const asked: string[] = [];
    let isUnavailable = false;
    const gate = withHoldRetry({
      demandOf: async ({ runId }) => {
        held.add(runId);
        isUnavailable = true;
        return undefined;
      },
      release: async (runId) => {
        asked.push(runId);
        if (isUnavailable) throw new Error('away');
        held.delete(runId);
      },
    });
    const refused = whenPaid(gate, { ownerDid: 'o', sessionId: 's', runId: 'r' }, async () => {
      throw new Error('not kept');
    });
    await expect(refused).rejects.toThrow('not kept');
    await expect(gate.retryReleases()).rejects.toThrow('away');
    expect([...held]).toEqual(['r']);
    isUnavailable = false;
    await gate.retryReleases();
    await gate.retryReleases();
    expect([...held]).toEqual([]);
    expect(asked).toEqual(['r', 'r', 'r']);
  });

  it('needs no release at a gate without holds', async () => {
    const gate = withHoldRetry({ demandOf: async () => undefined });
    await expect(gate.release('r')).resolves.toBeUndefined();
    await expect(gate.retryReleases()).resolves.toBeUndefined();
  });
});
