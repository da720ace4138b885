import { failureOf } from '@mlango/test-services/channel-contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { onRequest, sendReply } from '../../test/frame-peer.js';
import { echo, meetPeer, patient } from '../../test/meet-peer.js';
import { createChannel } from '../create-channel.js';
import { GRPC_CODES } from '../grpc-code.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe.each(BOTH_CHANNELS)('an unconnectable address, over %s,', (_, open) => {
  const meet = meetPeer(open);

  it.each(['127.0.0.1:99999', 'node-without-port'])('is an unreachable node: %s', async (target) => {
    const onOutage = vi.fn();
    const node = open({ target, maxReceiveBytes: 1000, connectTimeoutMs: 300, onOutage });
    closing.push(() => node.close());
    expect(await failureOf(echo(node))).toMatchObject({ code: GRPC_CODES.unavailable, fromTransport: true });
    await vi.waitFor(() => expect(onOutage).toHaveBeenCalledOnce(), patient);
  });

  it('leaves its calls to the other nodes', async () => {
    const { peer } = await meet(onRequest((to, id) => sendReply(to, id)));
    const channel = createChannel({ targets: ['127.0.0.1:99999', peer.target], open, probe: async () => ({}) });
    closing.push(() => channel.close());
    for (let count = 0; count < 4; count += 1) expect((await echo(channel)).message).toHaveLength(1);
  });
});
