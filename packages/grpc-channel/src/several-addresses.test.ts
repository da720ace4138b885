import { callTo } from '@mlango/test-services/channel-contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BOTH_CHANNELS } from '../test/both-channels.js';
import { type FramePeer, onRequest, type PeerConnection, sendReply, startFramePeer } from '../test/frame-peer.js';
import { patient } from '../test/meet-peer.js';
import { createChannel } from './create-channel.js';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(BOTH_CHANNELS)('a name with several addresses, over %s,', (_, open) => {
  let answer = (peer: PeerConnection, id: number): void => sendReply(peer, id);

  async function start(addresses: string[]) {
    const script = onRequest((to, id) => answer(to, id));
    const peer: FramePeer = await startFramePeer(script, '0.0.0.0');
    closing.push(() => peer.close());
    const port = peer.target.split(':')[1] ?? '';
    const onRemoved = vi.fn();
    const channel = createChannel({
      targets: [`nodes.example:${port}`],
      open,
      probe: async () => ({}),
      lookUp: async () => {
        if (addresses.length === 0) throw new Error('no such name');
        return addresses;
      },
      dnsIntervalMs: 20,
      onRemoved,
    });
    closing.push(() => channel.close());
    const names = () => channel.nodes().map(({ target }) => target.replace(`:${port}`, ''));
    return { channel, names, peer, onRemoved };
  }

  it('is several nodes, which share its calls', async () => {
    const { channel, names, peer } = await start(['127.0.0.2', '127.0.0.3']);
    await vi.waitFor(() => expect(names()).toEqual(['127.0.0.2', '127.0.0.3']), patient);
    for (let count = 0; count < 4; count += 1) await channel.unary(...callTo('Echo'));
    expect(new Set(peer.connections.map(({ socket }) => socket.localAddress))).toEqual(
      new Set(['127.0.0.2', '127.0.0.3']),
    );
  });

  it('is followed as addresses change, and unchanged by a DNS failure', async () => {
    const addresses = ['127.0.0.2', '127.0.0.3'];
    const { names, onRemoved } = await start(addresses);
    await vi.waitFor(() => expect(names()).toEqual(['127.0.0.2', '127.0.0.3']), patient);
    addresses.splice(0, 1, '127.0.0.4');
    await vi.waitFor(() => expect(names()).toEqual(['127.0.0.3', '127.0.0.4']), patient);
    expect(onRemoved.mock.lastCall?.[0]).toMatchObject({ target: expect.stringContaining('127.0.0.2') });
    addresses.splice(0);
    const lookedUp = vi.fn();
    setTimeout(lookedUp, 60);
    await vi.waitFor(() => expect(lookedUp).toHaveBeenCalled(), patient);
    expect(names()).toEqual(['127.0.0.3', '127.0.0.4']);
    addresses.push('127.0.0.4');
    await vi.waitFor(() => expect(names()).toEqual(['nodes.example']), patient);
  });

  it('completes running calls on a removed node', async () => {
    const held: (() => void)[] = [];
    answer = (peer, id) => void held.push(() => sendReply(peer, id));
    const addresses = ['127.0.0.2', '127.0.0.3'];
    const { channel, names } = await start(addresses);
    await vi.waitFor(() => expect(names()).toHaveLength(2), patient);
    const reply = channel.unary(...callTo('Echo'));
    await vi.waitFor(() => expect(held).toHaveLength(1), patient);
    addresses.splice(0, 2, '127.0.0.4', '127.0.0.5');
    await vi.waitFor(() => expect(names()).toEqual(['127.0.0.4', '127.0.0.5']), patient);
    held[0]?.();
    expect((await reply).message).toHaveLength(1);
    answer = (peer, id) => sendReply(peer, id);
  });

  it('uses IPv4 nodes if it has both families', async () => {
    const { names } = await start(['::1', '127.0.0.2', '127.0.0.3']);
    await vi.waitFor(() => expect(names()).toEqual(['127.0.0.2', '127.0.0.3']), patient);
  });
});
