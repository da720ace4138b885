import { create, toBinary } from '@bufbuild/protobuf';
import { builtInRegistry, messageOf } from '@mlango/test-services/descriptors';
import { createTranscoder } from '@mlango/transcoder';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractFormats } from './contract-values.js';
import { COSMOS_PROFILE, cosmosRest } from './cosmos-rest.js';

const registry = builtInRegistry();
const reply = messageOf(registry, 'cosmwasm.wasm.v1.QuerySmartContractStateResponse');
const [, queryData] = messageOf(registry, 'cosmwasm.wasm.v1.QuerySmartContractStateRequest').fields;
const transcoder = createTranscoder({ files: registry, ...cosmosRest(registry) });
const write = transcoder.json(reply);
const writeWire = transcoder.json(reply, { ...COSMOS_PROFILE, values: 'wire' });
const encoded = (data: Uint8Array) => toBinary(reply, create(reply, { data }));

describe('the reply of a contract', () => {
  it('is written as its JSON verbatim, and in base64 with wire values', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const bytes = encoded(Buffer.from(text));
        expect(write(bytes)).toBe(`{"data":${text}}`);
        expect(JSON.parse(writeWire(bytes))).toEqual({ data: Buffer.from(text).toString('base64') });
      }),
    );
  });

  it('cannot break out of the JSON around it, nor of its line', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        expect(Object.keys(JSON.parse(write(encoded(bytes))))).toEqual(['data']);
      }),
    );
    expect(write(encoded(Buffer.from('"}, "x": {"')))).toBe(
      `{"data":"${Buffer.from('"}, "x": {"').toString('base64')}"}`,
    );
    expect(write(encoded(Buffer.from('{\n"a":\r\n1}')))).toBe('{"data":{ "a":  1}}');
    expect(write(encoded(Buffer.from('{"big":12345678901234567890}')))).toBe('{"data":{"big":12345678901234567890}}');
  });
});

describe('the query of a contract', () => {
  it('is unchanged in base64, and encoded from JSON', () => {
    if (queryData === undefined) throw new Error('the definitions have changed');
    const read = contractFormats(registry)(queryData)?.readText;
    expect(read?.('eyJhIjoxfQ==')).toBe('eyJhIjoxfQ==');
    expect(read?.('{"a":1}')).toBe('eyJhIjoxfQ==');
    expect(read?.('"config"')).toBe('ImNvbmZpZyI=');
    expect(read?.('{"a":')).toEqual({ problem: 'is neither base64 nor JSON' });
  });
});
