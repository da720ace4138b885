import { FairSemaphore } from '@mlango/async/fair-semaphore';
import { describe, expect, it } from 'vitest';
import type { LanguageModel } from './language-model.js';
import { shareModel } from './share-model.js';

/** A model with answers that end on command. */
function start({ atOnce, waiting, ofAddress = 100 }: { atOnce: number; waiting: number; ofAddress?: number }) {
  const running: { userId: string | undefined; end: () => void }[] = [];
  const model: LanguageModel = {
    id: 'm',
    label: 'M',
    async *stream({ userId }) {
      await new Promise<void>((resolve) => running.push({ userId, end: resolve }));
      yield { type: 'text', delta: 'done' };
    },
  };
  const pool = new FairSemaphore({
    name: 'model_calls',
    total: 200,
    shares: { user: atOnce, address: ofAddress },
    waiting: { total: 100, perHolder: { user: waiting, address: 100 } },
  });
  const shared = shareModel(model, pool);
  const ask = async (userId: string | undefined, signal = new AbortController().signal, address?: string) => {
    const request = {
      messages: [],
      oracleName: 'Jua',
      now: new Date(0),
      address,
      ...(userId === undefined ? {} : { userId }),
    };
    for await (const _ of shared.stream(request, signal));
  };
  return { running, ask };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a model shared among users', () => {
  it('limits the concurrent requests of each user, and queues the others in order', async () => {
    const { running, ask } = start({ atOnce: 2, waiting: 2 });
    const pending = [ask('asha'), ask('asha'), ask('asha'), ask('asha'), ask('bo')];
    await settled();
    expect(running.map(({ userId }) => userId)).toEqual(['asha', 'asha', 'bo']);
    running[0]?.end();
    await pending[0];
    await settled();
    expect(running).toHaveLength(4);
    for (let at = 0; at < 5; at++) {
      running[at]?.end();
      await settled();
    }
    await Promise.all(pending);
    expect(running).toHaveLength(5);
  });

  it('refuses only a user with a full queue', async () => {
    const { running, ask } = start({ atOnce: 1, waiting: 1 });
    const pending = [ask('asha'), ask('asha')];
    await expect(ask('asha')).rejects.toMatchObject({ kind: 'rate_limit', retryable: true });
    pending.push(ask('bo'), ask(undefined));
    for (let at = 0; at < 4; at++) {
      await settled();
      running[at]?.end();
    }
    await Promise.all(pending);
  });

  it('limits the concurrent calls of users of one address together', async () => {
    const { running, ask } = start({ atOnce: 2, waiting: 2, ofAddress: 2 });
    const { signal } = new AbortController();
    const pending = ['a', 'b', 'c'].map((user) => ask(user, signal, '192.0.2.1'));
    pending.push(ask('d', signal, '192.0.2.2'));
    await settled();
    expect(running.map(({ userId }) => userId)).toEqual(['a', 'b', 'd']);
    running[0]?.end();
    await pending[0];
    await settled();
    expect(running.map(({ userId }) => userId)).toEqual(['a', 'b', 'd', 'c']);
    for (const { end } of running) end();
    await Promise.all(pending);
  });

  it('removes an aborted request from the queue, and gives its permit to the next', async () => {
    const { running, ask } = start({ atOnce: 1, waiting: 2 });
    const first = ask('asha');
    await settled();
    const controller = new AbortController();
    const gone = ask('asha', controller.signal);
    const last = ask('asha');
    controller.abort();
    await expect(gone).rejects.toThrow('aborted');
    running[0]?.end();
    await first;
    await settled();
    running[1]?.end();
    await last;
    expect(running).toHaveLength(2);
  });
});
