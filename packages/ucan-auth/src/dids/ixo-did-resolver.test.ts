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

/** A real server that answers as told, and what it was asked. */
async function serverThat(answer: Answer) {
  const asked: { readonly url: string; readonly body: string }[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      asked.push({ url: request.url ?? '', body });
      answer(body, reply, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

function kept(resolver: IxoDidResolver): IxoDidResolver {
  closing.unshift(() => resolver.close());
  return resolver;
}

const json =
  (value: unknown): Answer =>
  (_, reply) =>
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(value));
const documents = (...nodes: unknown[]) => json({ data: { iids: { nodes } } });

describe('createIxoDidResolver', () => {
  it('asks the indexer for the DID and takes the Ed25519 keys of its document', async () => {
    const other = { type: 'EcdsaSecp256k1VerificationKey2019', publicKeyHex: '02'.repeat(33) };
    const { url, asked } = await serverThat(
      documents({ id: DID, verificationMethod: [other, method], authentication: [method.id] }),
    );
    const resolver = kept(createIxoDidResolver({ graphqlUrl: `${url}/graphql` }));
    expect(await resolver.resolve(DID)).toMatchObject({ ok: true, keys: [key] });
    const question: unknown = JSON.parse(asked[0]?.body ?? '');
    expect(question).toMatchObject({
      variables: { id: DID },
      query: expect.stringContaining('iids(filter: { id: { equalTo: $id } })'),
    });
  });

  it('reads the document from the query gateway when told to, where 404 is an answer', async () => {
    const { url, asked } = await serverThat((body, reply, request) =>
      request.url?.endsWith('alice')
        ? json({ iidDocument: { id: DID, verificationMethod: [method] } })(body, reply, request)
        : void reply.writeHead(404).end('{}'),
    );
    const resolver = kept(createIxoDidResolver({ gatewayUrl: `${url}/` }));
    expect(await resolver.resolve(DID)).toMatchObject({ ok: true, keys: [key] });
    expect(await resolver.resolve('did:ixo:nobody')).toMatchObject({ ok: true, keys: [] });
    expect(asked[0]?.url).toBe(`/ixo/did/dids/${encodeURIComponent(DID)}`);
  });

  it("does not take another DID's document for an answer", async () => {
    const { url } = await serverThat(documents({ id: 'did:ixo:other', verificationMethod: [method] }));
    expect(await kept(createIxoDidResolver({ graphqlUrl: url })).resolve(DID)).toMatchObject({ ok: true, keys: [] });
  });

  it('takes no key that the document has for other ends', async () => {
    const { url } = await serverThat(documents({ id: DID, verificationMethod: [method], authentication: [] }));
    expect(await kept(createIxoDidResolver({ graphqlUrl: url })).resolve(DID)).toMatchObject({ ok: true, keys: [] });
  });

  it('says until when keys are good, from the cache as well', async () => {
    let now = 1000;
    const { url } = await serverThat(documents({ id: DID, verificationMethod: [method] }));
    const resolver = kept(createIxoDidResolver({ graphqlUrl: url, now: () => now }));
    expect(await resolver.resolve(DID)).toMatchObject({ until: 1300 });
    now = 1299;
    expect(await resolver.resolve(DID)).toMatchObject({ until: 1300 });
  });

  it('asks once for all who wait, and once for all who come later, also when there is no such DID', async () => {
    const { url, asked } = await serverThat(documents());
    const resolver = kept(createIxoDidResolver({ graphqlUrl: url }));
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve(DID)));
    await resolver.resolve(DID);
    expect(asked).toHaveLength(1);
  });

  it('asks again after the time to keep, and after forget', async () => {
    let now = 1000;
    const { url, asked } = await serverThat(documents({ id: DID, verificationMethod: [method] }));
    const resolver = kept(createIxoDidResolver({ graphqlUrl: url, cacheSeconds: 300, now: () => now }));
    await resolver.resolve(DID);
    now = 1299;
    await resolver.resolve(DID);
    expect(asked).toHaveLength(1);
    now = 1300;
    await resolver.resolve(DID);
    resolver.forget(DID);
    await resolver.resolve(DID);
    expect(asked).toHaveLength(3);
  });

  it('does not ask about text that is no did:ixo', async () => {
    const { url, asked } = await serverThat(documents());
    const resolver = kept(createIxoDidResolver({ graphqlUrl: url }));
    for (const did of ['did:ixo:', 'did:web:x', `did:ixo:${'x'.repeat(300)}`, 'did:ixo:a"b', 'did:ixo:a/../b']) {
      expect(await resolver.resolve(did)).toEqual({ ok: true, keys: [] });
    }
    expect(asked).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['an error status', (_, reply) => reply.writeHead(502).end('{}')],
    ['an answer that is no JSON', (_, reply) => reply.end('<html>')],
    ['an answer of another form', json({ errors: [{ message: 'no' }] })],
    ['an answer that is too long', (_, reply) => reply.end(' '.repeat(2000))],
    ['a redirect', (_, reply) => reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['no answer in time', () => {}],
  ])('is unavailable at %s, and asks again next time', async (_, answer) => {
    const { url, asked } = await serverThat(answer);
    const resolver = kept(createIxoDidResolver({ graphqlUrl: url, limitBytes: 1000, timeoutMs: 200 }));
    expect(await resolver.resolve(DID)).toEqual({ ok: false, code: 'unavailable' });
    expect(await resolver.resolve(DID)).toEqual({ ok: false, code: 'unavailable' });
    expect(asked).toHaveLength(2);
  });

  it('is unavailable when nobody listens, and when too many ask at once', async () => {
    expect(await kept(createIxoDidResolver({ graphqlUrl: 'http://127.0.0.1:1/' })).resolve(DID)).toEqual({
      ok: false,
      code: 'unavailable',
    });
    const { url } = await serverThat(() => {});
    const resolver = kept(createIxoDidResolver({ graphqlUrl: url, concurrency: 1, timeoutMs: 200 }));
    const first = resolver.resolve(DID);
    expect(await resolver.resolve(bob.did.replace('key', 'ixo'))).toEqual({ ok: false, code: 'unavailable' });
    expect(await first).toEqual({ ok: false, code: 'unavailable' });
  });
});
