import { describe, expect, it, vi } from 'vitest';
import { openTestStores } from '../../test/stores.fixture.js';
import { stopReason, Turn } from '../agent/turn.js';
import { gate, scriptedModel } from '../models/scripted-model.fixture.js';
import { LeaseRenewer } from './lease.js';
import { MemoryRunSignals } from './signals.js';

const lease = { writerId: 'w', leaseMs: 60_000 };

async function setUp() {
  const { conversations, runRepository } = await openTestStores();
  await conversations.createSession('o', { sessionId: 's', createdAt: new Date(0) });
  const signals = new MemoryRunSignals();
  const active = new Map<string, Turn>();
  const errors: object[] = [];
  const turn = new Turn(
    { ownerDid: 'o', sessionId: 's', requestId: 'q', message: 'hi', isFollowed: true, model: scriptedModel([]).model },
    'r',
  );
  active.set('r', turn);
  const question = { messageId: 'q~human', turnId: 'r', type: 'human', content: 'hi', createdAt: new Date(0) } as const;
  await runRepository.claim(turn.run, lease, question);
  const recover = vi.fn<() => Promise<void>>(async () => {});
  const log = { error: (fields: object) => void errors.push(fields) };
  const renewer = new LeaseRenewer({ runRepository, signals, lease, renewMs: 60_000, active, recover, log });
  return { runRepository, signals, turn, renewer, errors, recover };
}

describe('the leases of a process', () => {
  it('stores the progress of a turn, for recovery', async () => {
    const { runRepository, turn, renewer } = await setUp();
    turn.draft.content = 'so far';
    const renew = vi.spyOn(runRepository, 'renew');
    await renewer.renewNow();
    await renewer.renewNow();
    expect(renew.mock.calls.map(([, running]) => running)).toEqual([
      [{ runId: 'r', partialText: 'so far' }],
      [{ runId: 'r' }],
    ]);
  });

  it('stops a turn on request, also when the request arrives during a renewal', async () => {
    const { runRepository, signals, turn, renewer } = await setUp();
    const { opened, open } = gate();
    const renew = runRepository.renew.bind(runRepository);
    vi.spyOn(runRepository, 'renew').mockImplementationOnce(async (...args) => {
      const held = await renew(...args);
      await opened;
      return held;
    });
    const looking = renewer.renewNow();
    await runRepository.requestStop('o', 's', 'aborted');
    await signals.send({ kind: 'stop', runIds: ['r'] });
    open();
    await looking;
    expect(stopReason(turn.signal)).toBe('aborted');
  });

  it('renews early for stop signals of its own or unnamed runs only', async () => {
    const { runRepository, signals } = await setUp();
    const renew = vi.spyOn(runRepository, 'renew');
    await signals.send({ kind: 'stop', runIds: ['of another'] });
    await signals.send({ kind: 'ended', sessionId: 's' });
    expect(renew).not.toHaveBeenCalled();
    await signals.send({ kind: 'stop' });
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('stops a turn after a takeover of its run by another process', async () => {
    const { runRepository, turn, renewer } = await setUp();
    await runRepository.end('r', 'w', 'interrupted');
    await renewer.renewNow();
    expect(stopReason(turn.signal)).toBe('taken_over');
  });

  it('takes over no run right after an outage, when its writer could not renew either', async () => {
    const { runRepository, renewer, recover } = await setUp();
    const renew = vi.spyOn(runRepository, 'renew').mockRejectedValue(new Error('away'));
    await renewer.renewNow();
    renew.mockRestore();
    await renewer.renewNow();
    expect(recover).not.toHaveBeenCalled();
    await renewer.renewNow();
    expect(recover).toHaveBeenCalledOnce();
  });

  it('logs an outage of the repository once, and again after a recovery', async () => {
    const { runRepository, renewer, errors } = await setUp();
    const renew = vi.spyOn(runRepository, 'renew').mockRejectedValue(new Error('away'));
    await renewer.renewNow();
    await renewer.renewNow();
    expect(errors).toHaveLength(1);
    renew.mockRestore();
    await renewer.renewNow();
    vi.spyOn(runRepository, 'renew').mockRejectedValue(new Error('away'));
    await renewer.renewNow();
    expect(errors).toHaveLength(2);
    await renewer.close();
  });
});
