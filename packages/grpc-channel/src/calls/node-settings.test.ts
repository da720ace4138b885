import { once } from 'node:events';
import { createSecureServer, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { makeAuthority } from '@mlango/test-services/authority';
import { callTo } from '@mlango/test-services/channel-contract';
import { afterEach, describe, expect, it } from 'vitest';
import { BOTH_CHANNELS } from '../../test/both-channels.js';
import { createChannel } from '../create-channel.js';

const authority = makeAuthority();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

/** A node over TLS with a certificate for another name than its address; it records the headers of calls. */
async function secureNode(name: string) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createSecureServer(authority.issue(name)).on('stream', (stream, headers) => {
    seen.push(headers);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => void server.close());
  return { target: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe.each(BOTH_CHANNELS)('the settings of one node, over %s,', (_, open) => {
  it('are its certificate, its name and its metadata, which callers cannot change', async () => {
    const { target, seen } = await secureNode('node.example');
    const channel = createChannel({
      targets: [
        {
          target,
          tls: { ca: authority.cert },
          serverName: 'node.example',
          metadata: [
            ['x-api-key', 'of-the-operator'],
            ['x-raw-bin', Uint8Array.of(0, 255)],
          ],
        },
      ],
      open,
      probe: async () => ({}),
    });
    closing.push(() => channel.close());
    const metadata = [
      ['x-api-key', 'of-the-caller'],
      ['other', 'kept'],
    ] as const;
    await channel.unary(...callTo('Echo', { metadata }));
    expect(seen[0]).toMatchObject({ ':authority': 'node.example', 'x-api-key': 'of-the-operator', other: 'kept' });
    expect(String(seen[0]?.['x-raw-bin']).replaceAll('=', '')).toBe('AP8');
  });
});
