import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import type { NodeTls } from '@mlango/grpc-channel';
import { type Identity, makeAuthority } from '@mlango/test-services/authority';
import { startRawNode } from '@mlango/test-services/raw-node';
import { GRPC_CODES } from '@mlango/transcoder/grpc-status';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testApp } from '../../test/support/test-app.js';
import { describeOutage, OPEN_CHANNEL } from '../deps/open-node.js';
import { callTo, failureOf } from './chain-node.contract.js';
import { nodeOverChannel } from './chain-node.js';
import { CHANNELS } from './targets.js';

const authority = makeAuthority();
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A node over TLS; with a CA for clients it requires a client certificate. */
async function startSecureNode(identity: Identity, clientCa?: string): Promise<number> {
  const pair = { private_key: Buffer.from(identity.key), cert_chain: Buffer.from(identity.cert) };
  const ca = clientCa === undefined ? null : Buffer.from(clientCa);
  const node = await startRawNode(0, 'test.Raw', ServerCredentials.createSsl(ca, [pair], clientCa !== undefined));
  closing.push(() => node.close());
  return node.port;
}

describe.each(CHANNELS)('TLS over the %s channel', (channel) => {
  function connectTo(port: number, tls: NodeTls | undefined, host = '127.0.0.1') {
    const reasons: string[] = [];
    const node = nodeOverChannel(
      OPEN_CHANNEL[channel]({
        target: `${host}:${port}`,
        tls,
        maxReceiveBytes: 100_000,
        onOutage: (outage) => void (outage !== undefined && reasons.push(describeOutage(outage))),
      }),
    );
    closing.push(() => node.close());
    return { node, reasons };
  }

  /** The reason in the operator's log; the caller only gets "unavailable". */
  async function reasonOf(port: number, tls: NodeTls | undefined, host?: string): Promise<string | undefined> {
    const { node, reasons } = connectTo(port, tls, host);
    const app = await testApp(node);
    closing.push(() => app.close());
    const reply = await app.inject('/proto/token/params');
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      { code: 14, message: 'The chain node is not available', details: [] },
    ]);
    await vi.waitFor(() => expect(reasons).toHaveLength(1), { timeout: 10_000, interval: 20 });
    return reasons[0];
  }

  it('reaches a node with a certificate of the authority, by address and by name', async () => {
    const byAddress = connectTo(await startSecureNode(authority.issue('127.0.0.1')), { ca: authority.cert });
    expect((await byAddress.node.call(callTo('Echo'))).message).toHaveLength(3);
    const byName = connectTo(await startSecureNode(authority.issue('localhost')), { ca: authority.cert }, 'localhost');
    expect((await byName.node.call(callTo('Echo'))).message).toHaveLength(3);
  });

  it('presents its certificate to a node that requires one', async () => {
    const port = await startSecureNode(authority.issue('127.0.0.1'), authority.cert);
    const { node } = connectTo(port, { ca: authority.cert, identity: authority.issue('gateway.example') });
    expect((await node.call(callTo('Echo'))).message).toHaveLength(3);
  });

  it('refuses a node with a certificate of another authority', async () => {
    const port = await startSecureNode(makeAuthority().issue('127.0.0.1'));
    expect(await reasonOf(port, { ca: authority.cert })).toMatch(/not signed by a trusted authority.*GRPC_CA_FILE/);
  });

  it('refuses a self-signed certificate without a configured authority', async () => {
    const port = await startSecureNode(authority.issue('127.0.0.1'));
    expect(await reasonOf(port, {})).toMatch(/not signed by a trusted authority/);
  });

  it('refuses a node with the certificate of another name', async () => {
    const port = await startSecureNode(authority.issue('node.example'));
    expect(await reasonOf(port, { ca: authority.cert })).toMatch(/for another name .*GRPC_TARGETS/);
  });

  it('refuses a node with an expired certificate', async () => {
    const port = await startSecureNode(authority.issue('127.0.0.1', { expired: true }));
    expect(await reasonOf(port, { ca: authority.cert })).toMatch(/expired/);
  });

  it('reports a node that requires a client certificate', async () => {
    const port = await startSecureNode(authority.issue('127.0.0.1'), authority.cert);
    expect(await reasonOf(port, { ca: authority.cert })).toMatch(/GRPC_CERT_FILE/);
  });

  it('reports a node that refuses the client certificate’s authority', async () => {
    const port = await startSecureNode(authority.issue('127.0.0.1'), authority.cert);
    const stranger = makeAuthority().issue('gateway.example');
    expect(await reasonOf(port, { ca: authority.cert, identity: stranger })).toMatch(/GRPC_CERT_FILE/);
  });

  it('reports a node without TLS', async () => {
    const plain = await startRawNode();
    closing.push(() => plain.close());
    expect(await reasonOf(plain.port, { ca: authority.cert })).toMatch(/does not speak TLS|closed the connection/);
  });

  it('reports a TLS server without HTTP/2 as no node', async () => {
    const { key, cert } = authority.issue('127.0.0.1');
    const server = createServer({ key, cert, ALPNProtocols: ['http/1.1'] }, (socket) => socket.on('error', () => {}));
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => void server.close());
    const { node } = connectTo((server.address() as AddressInfo).port, { ca: authority.cert });
    expect(await failureOf(node.call(callTo('Echo')))).toMatchObject({ code: GRPC_CODES.unavailable });
  });

  it('fails without TLS at a node that requires TLS', async () => {
    const port = await startSecureNode(authority.issue('127.0.0.1'));
    const { node } = connectTo(port, undefined);
    expect(await failureOf(node.call(callTo('Echo')))).toMatchObject({ code: GRPC_CODES.unavailable });
  });
});
