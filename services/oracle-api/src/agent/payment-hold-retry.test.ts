import { describe, expect, it, vi } from 'vitest';
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

  it('is released although the release of an earlier one always fails', async () => {
    const released: string[] = [];
    let isUnavailable = true;
    const gate = withHoldRetry({
      demandOf: async () => undefined,
      release: async (runId) => {
        if (isUnavailable || runId === 'r1') throw new Error(`no ${runId}`);
        released.push(runId);
      },
    });
    await expect(gate.release('r1')).rejects.toThrow('no r1');
    await expect(gate.release('r2')).rejects.toThrow('no r2');
    isUnavailable = false;
    await expect(gate.retryReleases()).rejects.toThrow('no r1');
    await expect(gate.retryReleases()).rejects.toThrow('no r1');
    expect(released).toEqual(['r2']);
  });

  it('is retried when its release takes longer than 5 seconds', async () => {
    vi.useFakeTimers();
    try {
      const release = vi.fn(() => new Promise<void>(() => undefined));
      const gate = withHoldRetry({ demandOf: async () => undefined, release });
      const hanging = expect(gate.release('r')).rejects.toThrow('release took longer than 5000 ms');
      await vi.advanceTimersByTimeAsync(5_000);
      await hanging;
      release.mockResolvedValue(undefined);
      await gate.retryReleases();
      await gate.retryReleases();
      expect(release.mock.calls).toEqual([['r'], ['r']]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('needs no release at a gate without holds', async () => {
    const gate = withHoldRetry({ demandOf: async () => undefined });
    await expect(gate.release('r')).resolves.toBeUndefined();
    await expect(gate.retryReleases()).resolves.toBeUndefined();
  });
});
