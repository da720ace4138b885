import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { parseNamedHost } from '@mlango/outbound/named-hosts';
import { createOutbound, type Outbound } from '@mlango/outbound/outbound';
import { createLogger } from '@mlango/service-kit/logging';
import { mintInvocation, signerFromSeed } from '@mlango/ucan-auth/minting';
import { createServiceDids, type ServiceDids } from '@mlango/ucan-auth/service-did';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPlugin } from '../src/plugins/api/plugin.fixture.js';
import { MatrixPeer } from '../src/plugins/attachments/matrix-peer.fixture.js';
import { attachmentSettings } from '../src/plugins/attachments/settings.js';
import { McpPeer } from '../src/plugins/mcp/mcp-peer.fixture.js';
import { authOf, listening, type Service } from '../src/sockets/sockets.fixture.js';
import { oracle as oracleOf } from './app.fixture.js';
import { type PublishedClient, publishedClient } from './published-client.fixture.js';

/** An unassigned address in the global range: the first DNS answer of a name before another one. */
const nowhere = '2e00::1';

/** Names with internal addresses, in the order of their DNS answers. */
const names: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'loopback.example': [['127.0.0.1']],
  'mixed.example': [['93.184.215.14', '127.0.0.1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'nat64.example': [['64:ff9b::7f00:1']],
  'sixtofour.example': [['2002:7f00:1::']],
  'any.example': [['0.0.0.0']],
  'shared.example': [['100.64.0.1']],
  'cloud.example': [['169.254.169.254']],
  'rebinding.example': [[nowhere], ['127.0.0.1']],
  localhost: [['127.0.0.1', '::1']],
};

/** Spellings of the address of this machine, or of a neighbouring network. */
const spellings = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0',
  '127.0.0.1.',
  'LOCALHOST',
  'localhost.',
  '%6c%6f%63alhost',
  '①②⑦.⓪.⓪.①',
  'ｌｏｃａｌｈｏｓｔ',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1%25lo]',
  'someone:secret@127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
];
const attacks = [...Object.keys(names), ...spellings];

/** The internal listener: no caller may ever connect to it or learn its reply. */
const inside = { connections: 0, port: 0, words: 'words from inside' };
const listeners: Server[] = [];
const matrix = new MatrixPeer();
const mcp = new McpPeer();
const token = 'syt_of_the_user';
const lookups = new Map<string, number>();
let outbound: Outbound;
let services: ServiceDids;
let service: Service;
let client: PublishedClient;
let session: string;
let logged = '';

/** DNS answers of this oracle, without those of real peers. */
const resolve = async (host: string) => {
  const answers = names[host] ?? [];
  const count = lookups.get(host) ?? 0;
  lookups.set(host, count + 1);
  const addresses = answers[Math.min(count, answers.length - 1)];
  if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

async function listen(host: string): Promise<void> {
  const server = createServer((_, reply) => reply.end(inside.words));
  server.on('connection', () => {
    inside.connections += 1;
  });
  await new Promise<void>((done) => {
    server.listen(inside.port, host, done);
  });
  inside.port = (server.address() as AddressInfo).port;
  listeners.push(server);
}

/** The PRIVATE_HOSTS entry that allows exactly this host: the weakest possible configuration. */
const hostOf = (attack: string) => attack.replace(/^.*@/, '');
const isReadable = (attack: string) => parseNamedHost(`${hostOf(attack)}:${inside.port}`) !== undefined;

const oracleWatcher = testPlugin('watcher', {
  getTools: () => [
    {
      name: 'service_did',
      description: 'Reads the DID of a service',
      inputSchema: { type: 'object' },
      execute: ({ origin }, { ucan }) => ucan.resolveServiceDid(String(origin)),
    },
  ],
});

beforeAll(async () => {
  await listen('127.0.0.1');
  await listen('::1').catch(() => undefined);
  await matrix.listen();
  await mcp.listen();
  mcp.intercept = (_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/mcp` }).end();
    return true;
  };
  const privateHosts = [new URL(matrix.origin), new URL(mcp.url)].flatMap(({ host }) => parseNamedHost(host) ?? []);
  outbound = createOutbound({ privateHosts, resolve });
  services = createServiceDids({ isAllowedAddress: outbound.isAllowedAddress, resolve, timeoutMs: 500 });
  const allowed = attacks.filter(isReadable).map((attack) => `${hostOf(attack)}:${inside.port}`);
  const settings = attachmentSettings.parse({
    MATRIX_HOMESERVERS: [matrix.origin, ...allowed.flatMap((host) => [`https://${host}`, `http://${host}`])].join(','),
    ATTACHMENT_HOSTS: allowed.join(','),
    ATTACHMENT_TIMEOUT_MS: '1000',
  });
  const setting = { isProtected: false, headers: {} };
  const MCP_SERVERS = [
    ...attacks.flatMap((attack, at) =>
      ['http', 'https'].flatMap((scheme) => {
        const url = `${scheme}://${attack}:${inside.port}/mcp`;
        return URL.canParse(url) ? [{ ...setting, name: `${scheme}-${at}`, url }] : [];
      }),
    ),
    { ...setting, name: 'moved', url: mcp.url },
  ];
  service = await listening({
    outbound,
    services,
    plugins: [oracleWatcher],
    settings: new Map<string, Readonly<Record<string, unknown>>>([
      ['attachments', settings],
      ['mcp', { MCP_SERVERS }],
    ]),
    features: { mcp: true },
    logger: createLogger({
      service: 'test',
      level: 'trace',
      destination: new Writable({
        write: (chunk, _, done) => {
          logged += String(chunk);
          done();
        },
      }),
    }),
  });
  client = publishedClient(service.base, await authOf('a'));
  session = await client.newSession();
});
afterAll(async () => {
  await service.close();
  await services.close();
  await outbound.close();
  await matrix.close();
  await mcp.close();
  for (const server of listeners) server.close();
});

/** Output for the user, checked for leaked text. */
async function send(body: object, headers: Record<string, string> = {}): Promise<string> {
  const reply = await client.reply('POST', `/messages/${session}`, { message: 'What is this', ...body }, headers);
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  for (const secret of [inside.words, token, matrix.token, String(inside.port), 'ECONN', '127.0.0.1']) {
    expect(text, 'the reply').not.toContain(secret);
  }
  return JSON.parse(text).message.content;
}

const file = { filename: 'notes.txt', mimetype: 'text/plain' };
const own = () => ({ 'x-matrix-access-token': matrix.token, 'x-matrix-homeserver': matrix.origin });
const reason = /^I could not read notes\.txt: [^.]+\.(\nI could not read notes\.txt: [^.]+\.)*$/;

describe.each(attacks)('no internal address is called at %s', (attack) => {
  const addresses = () => ['https', 'http'].map((scheme) => `${scheme}://${attack}:${inside.port}`);

  it('as the server of a content URI, the host of a file on the web, or the target of a redirect', async () => {
    const redirected = (address: string) =>
      matrix.answering((_, reply) =>
        reply
          .code(307)
          .header('location', encodeURI(`${address}/a`))
          .send(),
      );
    const uris = [
      `mxc://${attack}:${inside.port}/abc`,
      ...addresses().map((address) => `${address}/a.txt`),
      ...addresses().map(redirected),
    ];
    const answer = await send({ attachments: uris.map((mxcUri) => ({ ...file, mxcUri })) }, own());
    expect(answer).toMatch(reason);
    expect(answer.split('\n')).toHaveLength(uris.length);
  });

  it('as the homeserver in the body or the header', async () => {
    const attachments = [{ ...file, mxcUri: 'mxc://example.org/abc' }];
    const metadata = { roomId: '!room:example.org' };
    const sent = { 'x-matrix-access-token': token };
    const homeservers = [...addresses(), `${attack}:${inside.port}`];
    // Both places are read into one setting: the header has each form at a third of the addresses. It contains bytes, so text that
    // is not ASCII is sent in the body only.
    const named = homeservers[attacks.indexOf(attack) % homeservers.length] ?? '';
    if (/^[\x21-\x7e]+$/.test(named)) {
      const header = { ...sent, 'x-matrix-homeserver': named };
      expect(await send({ attachments }, header), named).toMatch(reason);
    }
    for (const homeserver of homeservers) {
      const events = [...attachments, { ...file, eventId: '$event' }];
      expect(await send({ attachments: events, metadata, homeServer: homeserver }, sent), homeserver).toMatch(reason);
    }
  });

  it('as the host of a did:web service', async () => {
    for (const origin of addresses()) {
      const answer = await send({ message: `use the tool service_did with ${JSON.stringify({ origin })}` });
      expect(answer).toMatch(/bad_origin|forbidden_address|unavailable/);
    }
  });

  it('as the did:web of the issuer of a token', async () => {
    const did = `did:web:${encodeURIComponent(`${attack}:${inside.port}`)}`;
    const signer = signerFromSeed(Buffer.alloc(32, 'w'), did);
    const invocation = await mintInvocation({ signer, audience: oracleOf.did });
    const reply = await publishedClient(service.base, { invocation }).reply('POST', '/sessions');
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ message: 'Invalid UCAN invocation' });
  });
});

describe('no internal address is called', () => {
  it('as an MCP server, or as its redirect target: it is skipped, and the log has the reason', async () => {
    expect(await send({ message: 'hello' })).toContain('Hello');
    const passedOver = logged.split('\n').filter((line) => line.includes('MCP server skipped'));
    expect(passedOver.length).toBeGreaterThan(30);
    expect(passedOver.some((line) => line.includes('ERR_FORBIDDEN_ADDRESS'))).toBe(true);
    expect(passedOver.some((line) => line.includes('"server":"moved"'))).toBe(true);
  });

  it('by any of these ways: the listener has had no connection', () => {
    expect(lookups.get('rebinding.example')).toBeGreaterThan(1);
    expect(inside.connections).toBe(0);
    expect(logged).not.toContain(token);
    expect(logged).not.toContain(inside.words);
  });

  it('although a direct caller reaches the listener', async () => {
    const reply = await fetch(`http://127.0.0.1:${inside.port}/`);
    expect(await reply.text()).toBe(inside.words);
    expect(inside.connections).toBe(1);
  });
});
