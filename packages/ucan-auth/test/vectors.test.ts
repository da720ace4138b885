import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createUcanAuth } from '../src/auth.js';
import { keyOfDid } from '../src/dids/did-key.js';
import { memoryRevocationStore } from '../src/stores/memory-stores.js';
import { attacksByKind } from './all-attacks.js';
import { alice, NOW, ORACLE } from './forge.js';
import { verifyFor } from './token-use.js';
import { type Vector, vectorOf } from './vector.js';
import { account, honest } from './vectors-honest.js';
import { login } from './vectors-login.js';
import { ownership } from './vectors-ownership.js';
import { revocation } from './vectors-revocation.js';

const folder = new URL('../vectors/', import.meta.url);
const SERVICE = {
  now: NOW,
  audiences: [ORACLE],
  resources: ['ixo:oracle'],
  invocationTtlSeconds: 900,
  delegationTtlSeconds: 31_622_400,
  keys: { [account.did]: [alice.did] },
};

interface VectorFile {
  readonly service: typeof SERVICE;
  readonly vectors: readonly Vector[];
}

const attacks = Object.entries(await attacksByKind());
const kinds: Readonly<Record<string, readonly Vector[]>> = {
  honest: await honest(),
  ...Object.fromEntries(attacks.map(([kind, list]) => [kind.replaceAll(' ', '-'), list.map(vectorOf)])),
  ownership: await ownership(),
  revocation: await revocation(),
  login: await login(),
};

/** The result of this package in the form of a vector. */
async function answerTo(vector: Vector, { service }: VectorFile): Promise<Vector['expected']> {
  const revocations = memoryRevocationStore(() => service.now);
  for (const one of vector.revocations ?? []) await revocations.revoke({ ...one, expiresAt: Number.POSITIVE_INFINITY });
  const auth = createUcanAuth({
    audiences: service.audiences,
    resources: service.resources,
    maxTtlSeconds: service.invocationTtlSeconds,
    maxDelegationTtlSeconds: service.delegationTtlSeconds,
    allowDelegationAuth: 'covering',
    resolvers: [
      { method: 'ixo', resolve: async (did) => ({ ok: true, keys: keysOf(service, did) }), forget: () => {} },
    ],
    revocations,
    now: () => service.now,
  });
  if (vector.ask === 'login') {
    const outcome = await auth.request({ 'x-ucan-delegation': vector.token });
    if (outcome.ok) return { ok: true, issuer: outcome.caller.did, capabilities: [] };
    return { ok: false, reason: outcome.failure.reason as 'not_authorized' };
  }
  const validation = await verifyFor(auth, vector.token, vector);
  if (!validation.ok) return { ok: false, reason: validation.code };
  const { issuer, capabilities } = validation.result;
  return { ok: true, issuer, capabilities };
}

const keysOf = ({ keys }: VectorFile['service'], did: string) =>
  (keys[did] ?? []).flatMap((key) => keyOfDid(key) ?? []);

/** Published files by name. */
const published = Object.entries(kinds).map(([kind, vectors]): [string, string] => {
  const content = { $schema: './vectors.schema.json', kind, service: SERVICE, vectors };
  return [`${kind}.json`, `${JSON.stringify(content, null, 2)}\n`];
});

describe.each(published)('published vectors: %s', (name, text) => {
  it('equal the output of `npm run vectors`', async () => {
    await expect(text).toMatchFileSnapshot(fileURLToPath(new URL(name, folder)));
  });

  it('give the expected results', async () => {
    const file: VectorFile = JSON.parse(text);
    expect(file.vectors.length).toBeGreaterThan(0);
    for (const vector of file.vectors) expect(await answerTo(vector, file), vector.name).toEqual(vector.expected);
  });
});

describe('the folder of vectors', () => {
  it('holds only vectors and their JSON Schema', () => {
    const known = [...published.map(([name]) => name), 'vectors.schema.json'];
    expect(readdirSync(folder).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has a JSON Schema that accepts them and rejects other content', async () => {
    const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
    const body = JSON.parse(readFileSync(new URL('vectors.schema.json', folder), 'utf8'));
    app.post('/', { schema: { body } }, async () => 'valid');
    const post = async (payload: object) => (await app.inject({ method: 'POST', url: '/', payload })).body;
    const files = published.map(([, text]) => JSON.parse(text));
    for (const file of files) expect(await post(file)).toBe('valid');
    const [first] = files;
    const [vector] = first.vectors;
    for (const wrong of [{ ask: 'anything' }, { ask: 'grant' }, { expected: { ok: false } }, { token: undefined }]) {
      expect(await post({ ...first, vectors: [{ ...vector, ...wrong }] })).not.toBe('valid');
    }
  });
});
