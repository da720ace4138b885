import { create, fromJson, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { builtInRegistry, messageOf } from '@mlango/test-services/descriptors';
import { createTranscoder } from '@mlango/transcoder';
import { describe, expect, it } from 'vitest';
import { cosmosRest } from './cosmos-rest.js';
import { errorDetails } from './error-details.js';

const files = builtInRegistry();
const transcoder = createTranscoder({ files, ...cosmosRest(files) });

/** Each detail of google.rpc as JSON. */
const details: Readonly<Record<string, JsonObject>> = {
  ErrorInfo: { reason: 'R', domain: 'd', metadata: { a: 'b' } },
  RetryInfo: { retry_delay: '1.500s' },
  DebugInfo: { stack_entries: ['a', 'b'], detail: 'c' },
  QuotaFailure: { violations: [{ subject: 's', description: 'd' }] },
  PreconditionFailure: { violations: [{ type: 't', subject: 's', description: 'd' }] },
  BadRequest: { field_violations: [{ field: 'f', description: 'd' }] },
  RequestInfo: { request_id: 'i', serving_data: 's' },
  ResourceInfo: { resource_type: 't', resource_name: 'n', owner: 'o', description: 'd' },
  Help: { links: [{ description: 'd', url: 'u' }] },
  LocalizedMessage: { locale: 'sw', message: 'm' },
};

/** A google.rpc.Status with one detail, in bytes. */
function statusWith(name: string, json: JsonObject): Uint8Array {
  const desc = messageOf(errorDetails, `google.rpc.${name}`);
  const { typeUrl, value } = anyPack(desc, fromJson(desc, json));
  const any = [0x0a, typeUrl.length, ...Buffer.from(typeUrl), 0x12, value.length, ...value];
  return Uint8Array.from([0x1a, any.length, ...any]);
}

describe('details of a failed call', () => {
  it.each(Object.entries(details))('of type %s are decoded', (name, json) => {
    const { details: decoded } = transcoder.failure(3, 'no', statusWith(name, json));
    expect(decoded).toEqual([{ '@type': `type.googleapis.com/google.rpc.${name}`, ...json }]);
  });

  it('cover all of google.rpc', () => {
    const ours = errorDetails.getFile('google/rpc/error_details.proto')?.messages.map(({ name }) => name);
    expect(ours).toEqual(Object.keys(details));
  });

  it('have the fields of the definitions, if the descriptors of an API include them', () => {
    const held = ['ErrorInfo', 'RetryInfo', 'BadRequest'];
    for (const name of held) {
      const [ours, theirs] = [errorDetails, files].map((each) => messageOf(each, `google.rpc.${name}`));
      const fieldsOf = (desc: typeof ours) => desc?.fields.map((field) => [field.name, field.number, field.fieldKind]);
      expect([name, fieldsOf(ours)]).toEqual([name, fieldsOf(theirs)]);
      if (ours !== undefined) expect(toBinary(ours, create(ours))).toHaveLength(0);
    }
  });
});
