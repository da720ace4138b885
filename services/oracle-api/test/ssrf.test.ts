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

/** An address in the global range that nobody has been given: what a name says of itself before it says something else. */
const nowhere = '2e00::1';

/** Names that lead inside, by the addresses that they have one after the other. */
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

/** Ways to write this machine, or a network next to it. */
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

/** The listener inside: nobody outside may ever be connected to it, or learn what it says. */
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

/** What names lead to for this oracle; those of real peers are not among them. */
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

/** As an operator would have to write it to allow the very host: the worst that can be set. */
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

/** What the user is told, checked for what they must not learn. */
async function say(body: object, headers: Record<string, string> = {}): Promise<string> {
  const reply = await client.reply('POST', `/messages/${session}`, { message: 'What is this', ...body }, headers);
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  for (const secret of [inside.words, token, matrix.token, String(inside.port), 'ECONN', '127.0.0.1']) {
    expect(text, 'what is told').not.toContain(secret);
  }
  return JSON.parse(text).message.content;
}

const file = { filename: 'notes.txt', mimetype: 'text/plain' };
const own = () => ({ 'x-matrix-access-token': matrix.token, 'x-matrix-homeserver': matrix.origin });
const reason = /^I could not read notes\.txt: [^.]+\.(\nI could not read notes\.txt: [^.]+\.)*$/;

describe.each(attacks)('nobody inside is called at %s', (attack) => {
  const addresses = () => ['https', 'http'].map((scheme) => `${scheme}://${attack}:${inside.port}`);

  it('as the server of a content URI', async () => {
    const attachments = [{ ...file, mxcUri: `mxc://${attack}:${inside.port}/abc` }];
    expect(await say({ attachments }, own())).toMatch(reason);
  });

  it('as the host of a file on the web', async () => {
    const attachments = addresses().map((address) => ({ ...file, mxcUri: `${address}/a.txt` }));
    expect(await say({ attachments }, own())).toMatch(reason);
  });

  it('as the homeserver in the body or the header', async () => {
    const attachments = [{ ...file, mxcUri: 'mxc://example.org/abc' }];
    const metadata = { roomId: '!room:example.org' };
    const sent = { 'x-matrix-access-token': token };
    for (const homeserver of [...addresses(), `${attack}:${inside.port}`]) {
      // A header holds bytes; what is no ASCII comes in the body alone.
      if (/^[\x21-\x7e]+$/.test(homeserver)) {
        const header = { ...sent, 'x-matrix-homeserver': homeserver };
        expect(await say({ attachments }, header), homeserver).toMatch(reason);
      }
      const events = [...attachments, { ...file, eventId: '$event' }];
      expect(await say({ attachments: events, metadata, homeServer: homeserver }, sent), homeserver).toMatch(reason);
    }
  });

  it('where the homeserver redirects to', async () => {
    const attachments = addresses().map((address) => ({
      ...file,
      mxcUri: matrix.answering((_, reply) =>
        reply
          .code(307)
          .header('location', encodeURI(`${address}/a`))
          .send(),
      ),
    }));
    expect(await say({ attachments }, own())).toMatch(reason);
  });

  it('as the service whose did:web is read', async () => {
    for (const origin of addresses()) {
      const said = await say({ message: `use the tool service_did with ${JSON.stringify({ origin })}` });
      expect(said).toMatch(/bad_origin|forbidden_address|unavailable/);
    }
  });

  it('as the did:web that a token is issued by', async () => {
    const did = `did:web:${encodeURIComponent(`${attack}:${inside.port}`)}`;
    const signer = signerFromSeed(Buffer.alloc(32, 'w'), did);
    const invocation = await mintInvocation({ signer, audience: oracleOf.did });
    const reply = await publishedClient(service.base, { invocation }).reply('POST', '/sessions');
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ message: 'Invalid UCAN invocation' });
  });
});

describe('nobody inside is called', () => {
  it('as an MCP server, or where one redirects to: it is passed over, and the log says why', async () => {
    expect(await say({ message: 'hello' })).toContain('Hello');
    const passedOver = logged.split('\n').filter((line) => line.includes('MCP server passed over'));
    expect(passedOver.length).toBeGreaterThan(30);
    expect(passedOver.some((line) => line.includes('ERR_FORBIDDEN_ADDRESS'))).toBe(true);
    expect(passedOver.some((line) => line.includes('"server":"moved"'))).toBe(true);
  });

  it('by any of these doors: the listener has seen no connection', () => {
    expect(lookups.get('rebinding.example')).toBeGreaterThan(1);
    expect(inside.connections).toBe(0);
    expect(logged).not.toContain(token);
    expect(logged).not.toContain(inside.words);
  });

  it('though it is there: whoever is allowed to call it does', async () => {
    const reply = await fetch(`http://127.0.0.1:${inside.port}/`);
    expect(await reply.text()).toBe(inside.words);
    expect(inside.connections).toBe(1);
  });
});
