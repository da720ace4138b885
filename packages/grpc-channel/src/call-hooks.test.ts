import { tracingChannel } from 'node:diagnostics_channel';
import { callTo, failureOf } from '@mlango/test-services/channel-contract';
import { type RawNode, startRawNode } from '@mlango/test-services/raw-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { poolOf } from '../test/pool-of.js';
import type { TracedCall } from './call-hooks.js';
import { http2Channel } from './calls/http2-channel.js';
import type { Channel } from './channel.js';

const events: string[] = [];
const listener = {
  start: ({ path, target, metadata }: TracedCall) => {
    events.push(`begins ${target}${path}`);
    metadata.push(['a', 'told']);
  },
  error: ({ error }: { error: unknown }) => void events.push(`fails ${(error as { code: number }).code}`),
  end: () => {},
  asyncStart: () => {},
  asyncEnd: () => void events.push('ends'),
};
const tracedCall = tracingChannel<unknown, TracedCall>('mlango:grpc:call');

describe('listeners of calls', () => {
  let node: RawNode;
  let channel: Channel;
  beforeAll(async () => {
    node = await startRawNode();
    channel = poolOf([http2Channel({ target: node.address, maxReceiveBytes: 100_000 })]);
  });
  afterAll(async () => {
    channel.close();
    await node.close();
  });
  beforeEach(() => {
    events.length = 0;
    tracedCall.subscribe(listener);
  });
  afterEach(() => tracedCall.unsubscribe(listener));

  it('get each start and end, and may add metadata', async () => {
    const { headers } = await channel.unary(...callTo('Echo', { metadata: [['a', 'own']] }));
    expect(headers).toContainEqual(['got-a', 'own, told']);
    expect(events).toEqual(['begins node:1/test.Raw/Echo', 'ends']);
  });

  it('get the failure', async () => {
    await failureOf(channel.unary(...callTo('Fail')));
    expect(events).toEqual(['begins node:1/test.Raw/Fail', 'fails 9', 'ends']);
  });

  it.each([
    ['with its last message', 'Count', [], 3],
    ['when it breaks', 'Break', ['fails 15'], 3],
    ['when it is refused', 'Refuse', ['fails 11'], 3],
    ['when its reader leaves', 'Endless', [], 1],
  ])('get the end of a stream once: %s', async (_, method, failure, most) => {
    const { messages } = channel.stream(...callTo(method));
    expect(events).toEqual([`begins node:1/test.Raw/${method}`]);
    let count = 0;
    try {
      for await (const _message of messages) {
        count += 1;
        if (count === most) break;
      }
    } catch {
      expect(failure).not.toEqual([]);
    }
    expect(events.slice(1)).toEqual([...failure, 'ends']);
  });

  it('get the end of a stream that was never read', async () => {
    const leaves = new AbortController();
    const { headers } = channel.stream(...callTo('Endless', { signal: leaves.signal }));
    headers.catch(() => {});
    leaves.abort();
    expect(events.at(-1)).toBe('ends');
  });
});

it('a call without listeners is sent unchanged', async () => {
  const called: unknown[] = [];
  const channel = poolOf([
    {
      unary: async (_path, _request, options) => {
        called.push(options);
        return { message: new Uint8Array(), headers: [], trailers: [] };
      },
      stream: () => {
        throw new Error('unexpected call');
      },
      close() {},
    },
  ]);
  const [path, request, options] = callTo('Echo');
  await channel.unary(path, request, options);
  expect(called[0]).toBe(options);
});
