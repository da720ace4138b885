import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { alice, bob } from '../../test/forge.js';
import { keyOfDid } from './did-key.js';
import { createIxoDidResolver, type IxoDidResolver } from './ixo-did-resolver.js';

const DID = 'did:ixo:ixo1alice';
const key = keyOfDid(alice.did);
const method = {
  id: `${DID}#1`,
  type: 'Ed25519VerificationKey2020',
  publicKeyMultibase: alice.did.slice('did:key:'.length),
};
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Answer = (body: string, reply: ServerResponse, request: IncomingMessage) => void;

/** A real server with a given answer, and its requests. */
async function serverThat(answer: Answer) {
  const requests: { readonly url: string; readonly body: string }[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      requests.push({ url: request.url ?? '', body });
      answer(body, reply, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

function closedAfterTest(resolver: IxoDidResolver): IxoDidResolver {
  closing.unshift(() => resolver.close());
  return resolver;
}

const json =
  (value: unknown): Answer =>
  (_, reply) =>
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(value));
const documents = (...nodes: unknown[]) => json({ data: { iids: { nodes } } });

describe('createIxoDidResolver', () => {
  it('queries the indexer and returns the Ed25519 keys of the document', async () => {
    const other = { type: 'EcdsaSecp256k1VerificationKey2019', publicKeyHex: '02'.repeat(33) };
    const { url, requests } = await serverThat(
      documents({ id: DID, verificationMethod: [other, method], authentication: [method.id] }),
    );
    const resolver = closedAfterTest(createIxoDidResolver({ graphqlUrl: `${url}/graphql` }));
    expect(await resolver.resolve(DID)).toMatchObject({ ok: true, keys: [key] });
    const question: unknown = JSON.parse(requests[0]?.body ?? '');
    expect(question).toMatchObject({
      variables: { id: DID },
      query: expect.stringContaining('iids(filter: { id: { equalTo: $id } })'),
    });
  });

  it('reads the document from the query gateway, where 404 means no keys', async () => {
    const { url, requests } = await serverThat((body, reply, request) =>
      request.url?.endsWith('alice')
        ? json({ iidDocument: { id: DID, verificationMethod: [method] } })(body, reply, request)
        : void reply.writeHead(404).end('{}'),
    );
    const resolver = closedAfterTest(createIxoDidResolver({ gatewayUrl: `${url}/` }));
    expect(await resolver.resolve(DID)).toMatchObject({ ok: true, keys: [key] });
    expect(await resolver.resolve('did:ixo:unknown')).toMatchObject({ ok: true, keys: [] });
    expect(requests[0]?.url).toBe(`/ixo/did/dids/${encodeURIComponent(DID)}`);
  });

  it('ignores the document of another DID', async () => {
    const { url } = await serverThat(documents({ id: 'did:ixo:other', verificationMethod: [method] }));
    expect(await closedAfterTest(createIxoDidResolver({ graphqlUrl: url })).resolve(DID)).toMatchObject({
      ok: true,
      keys: [],
    });
  });

  it('ignores keys that are not for authentication', async () => {
    const { url } = await serverThat(documents({ id: DID, verificationMethod: [method], authentication: [] }));
    expect(await closedAfterTest(createIxoDidResolver({ graphqlUrl: url })).resolve(DID)).toMatchObject({
      ok: true,
      keys: [],
    });
  });

  it('returns the end of the cache period with cached keys too', async () => {
    let now = 1000;
    const { url } = await serverThat(documents({ id: DID, verificationMethod: [method] }));
    const resolver = closedAfterTest(createIxoDidResolver({ graphqlUrl: url, now: () => now }));
    expect(await resolver.resolve(DID)).toMatchObject({ until: 1300 });
    now = 1299;
    expect(await resolver.resolve(DID)).toMatchObject({ until: 1300 });
  });

  it('sends one query for concurrent and later callers, also for an unknown DID', async () => {
    const { url, requests } = await serverThat(documents());
    const resolver = closedAfterTest(createIxoDidResolver({ graphqlUrl: url }));
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve(DID)));
    await resolver.resolve(DID);
    expect(requests).toHaveLength(1);
  });

  it('sends another query after the cache period and after forget', async () => {
    let now = 1000;
    const { url, requests } = await serverThat(documents({ id: DID, verificationMethod: [method] }));
    const resolver = closedAfterTest(createIxoDidResolver({ graphqlUrl: url, cacheSeconds: 300, now: () => now }));
    await resolver.resolve(DID);
    now = 1299;
    await resolver.resolve(DID);
    expect(requests).toHaveLength(1);
    now = 1300;
    await resolver.resolve(DID);
    resolver.forget(DID);
    await resolver.resolve(DID);
    expect(requests).toHaveLength(3);
  });

  it('sends no query for text that is not a did:ixo', async () => {
    const { url, requests } = await serverThat(documents());
    const resolver = closedAfterTest(createIxoDidResolver({ graphqlUrl: url }));
    for (const did of ['did:ixo:', 'did:web:x', `did:ixo:${'x'.repeat(300)}`, 'did:ixo:a"b', 'did:ixo:a/../b']) {
      expect(await resolver.resolve(did)).toEqual({ ok: true, keys: [] });
    }
    expect(requests).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['an error status', (_, reply) => reply.writeHead(502).end('{}')],
    ['an answer that is not JSON', (_, reply) => reply.end('<html>')],
    ['an answer of another form', json({ errors: [{ message: 'no' }] })],
    ['an answer that is too long', (_, reply) => reply.end(' '.repeat(2000))],
    ['a redirect', (_, reply) => reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['no answer in time', () => {}],
  ])('is unavailable at %s, and retries at the next call', async (_, answer) => {
    const { url, requests } = await serverThat(answer);
    const resolver = closedAfterTest(createIxoDidResolver({ graphqlUrl: url, limitBytes: 1000, timeoutMs: 200 }));
    expect(await resolver.resolve(DID)).toEqual({ ok: false, code: 'unavailable' });
    expect(await resolver.resolve(DID)).toEqual({ ok: false, code: 'unavailable' });
    expect(requests).toHaveLength(2);
  });

  it('is unavailable without a server and beyond the concurrency limit', async () => {
    expect(await closedAfterTest(createIxoDidResolver({ graphqlUrl: 'http://127.0.0.1:1/' })).resolve(DID)).toEqual({
      ok: false,
      code: 'unavailable',
    });
    const { url } = await serverThat(() => {});
    const resolver = closedAfterTest(createIxoDidResolver({ graphqlUrl: url, concurrency: 1, timeoutMs: 200 }));
    const first = resolver.resolve(DID);
    expect(await resolver.resolve(bob.did.replace('key', 'ixo'))).toEqual({ ok: false, code: 'unavailable' });
    expect(await first).toEqual({ ok: false, code: 'unavailable' });
  });
});
