import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { parseQuery } from '@mlango/transcoder/bind-query';
import { bindRequest } from '@mlango/transcoder/bind-request';
import { createJsonWriters } from '@mlango/transcoder/json-writer';
import { parseTemplate } from '@mlango/transcoder/parse-template';
import { PathTrie } from '@mlango/transcoder/path-trie';
import { describe, expect, it } from 'vitest';

const registry = everythingRegistry();

/** What an owner of descriptors and of a way to call would write, after the README of this folder. */
async function answer(
  trie: PathTrie<DescMethod>,
  url: string,
  call: (request: Uint8Array) => Promise<Uint8Array>,
): Promise<string | undefined> {
  const [path = '', rawQuery = ''] = url.split('?');
  const match = trie.match('GET', path);
  const query = parseQuery(rawQuery);
  if (match.kind !== 'found' || !('pairs' in query)) return undefined;
  const { target, template, values } = match;
  const bound = bindRequest(
    { input: target.input, body: '' },
    { template, values, query: query.pairs, body: new Uint8Array() },
    { registry, unknownQuery: 'warn', pages: { defaultLimit: 100n, maxLimit: 1000n } },
  );
  if (!('bytes' in bound)) return bound.violations.map(({ field, description }) => `${field} ${description}`).join();
  return createJsonWriters(registry)(target.output)(await call(bound.bytes));
}

describe('transcoding without the gateway', () => {
  const service = registry.getService('everything.v1.Service');
  const rpc = service?.method['list'];
  if (rpc === undefined) throw new Error('the fixture has no such method');
  const parsed = parseTemplate('/mine/{owner}/list');
  if (!('template' in parsed)) throw new Error(parsed.problem);
  const trie = new PathTrie<DescMethod>();
  trie.insert('GET', parsed.template, rpc);
  const everything = messageOf(registry, 'everything.v1.Everything');

  it('answers a request from descriptors and a way to call', async () => {
    const asked: unknown[] = [];
    const json = await answer(trie, '/mine/a%20b/list?pagination.limit=5000', async (bytes) => {
      asked.push(fromBinary(rpc.input, bytes));
      return toBinary(everything, create(everything));
    });
    expect(asked).toMatchObject([{ owner: 'a b', pagination: { limit: 1000n } }]);
    expect(JSON.parse(json ?? '')).toMatchObject({ int64_value: '0', names: [], leaf: null });
  });

  it('says what is wrong with a request', async () => {
    const problem = await answer(trie, '/mine/a/list?pagination.limit=many', async () => new Uint8Array());
    expect(problem).toBe('pagination.limit must be a whole number');
  });

  it('needs nothing but descriptors: no server, no client, no environment', () => {
    const folder = import.meta.dirname;
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    const imported = files.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, source]) => source ?? ''),
    );
    const foreign = imported.filter((source) => !/^\.\/[a-z-]+\.js$|^@bufbuild\/protobuf(?:\/|$)/.test(source));
    expect([...new Set(foreign)]).toEqual([]);
  });
});
