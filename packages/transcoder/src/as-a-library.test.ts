import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { everythingRegistry } from '@mlango/test-services/descriptors';
import { describe, expect, it } from 'vitest';
import { badRequest } from './grpc/bad-request.js';
import { errorReply } from './grpc/grpc-status.js';
import { createTranscoder } from './transcoder.js';

const transcoder = createTranscoder({ files: everythingRegistry() });

/** The code that a user of the library would write. */
async function answer(method: string, url: string, call: (request: Uint8Array) => Promise<Uint8Array>, body = '') {
  const found = transcoder.match(method, url);
  if (found.kind !== 'found') return found.kind;
  const read = transcoder.read(found, { body: new TextEncoder().encode(body) });
  if ('violations' in read) return errorReply(badRequest(read.violations)).body;
  return transcoder.writer(found.route, read.options)(await call(read.bytes));
}

describe('a transcoder without a gateway', () => {
  it('answers a request from descriptors and a call function, in the JSON of protobuf', async () => {
    const found = transcoder.match('GET', '/everything/v1/a%20b?int64_value=5');
    if (found.kind !== 'found') throw new Error('the fixture has no such route');
    const { input, output } = found.route.rpc;
    const requests: unknown[] = [];
    const json = await answer('GET', '/everything/v1/a%20b?int64_value=5&pretty=1', async (bytes) => {
      requests.push(fromBinary(input, bytes));
      return toBinary(output, create(output, fromBinary(input, bytes)));
    });
    expect(requests).toMatchObject([{ stringValue: 'a b', int64Value: 5n }]);
    expect(json).toBe('{\n  "int64Value": "5",\n  "stringValue": "a b"\n}');
  });

  it('reports the violations of a request', async () => {
    const problem = await answer('GET', '/everything/v1/a?int64_value=many', async () => new Uint8Array());
    expect(problem).toContain('"message":"int64_value must be a whole number"');
    expect(await answer('GET', '/nowhere', async () => new Uint8Array())).toBe('none');
    expect(await answer('DELETE', '/everything/v1/a', async () => new Uint8Array())).toBe('other_method');
  });

  it('depends on descriptors only: no server, no client, no environment', () => {
    const folder = import.meta.dirname;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name),
    );
    const imported = files.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, source]) => source ?? ''),
    );
    const foreign = imported.filter((source) => !/^\.{1,2}\/[a-z/.-]+\.js$|^@bufbuild\/protobuf(?:\/|$)/.test(source));
    expect([...new Set(foreign)]).toEqual([]);
  });
});
