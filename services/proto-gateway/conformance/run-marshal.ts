import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { CaseDescriptors } from './case-descriptors.js';
import type { CaseServer } from './case-server.js';
import type { CaseOf } from './cases.js';
import { type Differences, expectSame, readJson } from './expectations.js';

/**
 * The query of each recorded profile. The gateway writes empty bytes as `null` in every profile, as Cosmos nodes do;
 * the v2 recordings with defaults have `""` there.
 */
const PROFILES: Readonly<Record<string, { query: string; emptyBytesAsNull: boolean }>> = {
  cosmos_v1_16: { query: '', emptyBytesAsNull: false },
  v2_proto_names_emit: { query: 'json=proto', emptyBytesAsNull: true },
  v2_json_names_emit: { query: 'json=camel', emptyBytesAsNull: true },
  v2_proto_names_omit: { query: 'defaults=omit', emptyBytesAsNull: false },
  v2_json_names_omit: { query: 'json=camel&defaults=omit', emptyBytesAsNull: false },
};

/** Sends the recorded bytes through the gateway in every profile of the case. */
export async function runMarshal(
  test: CaseOf<'marshal'>,
  { message, registry }: CaseDescriptors,
  server: CaseServer,
): Promise<Differences> {
  if (test.message !== message.typeName) return [`the message is ${test.message}, the rules have ${message.typeName}`];
  server.node.script = { reply: new Uint8Array(Buffer.from(test.wire_b64, 'base64')) };
  const differences: Differences = [];
  for (const [name, expected] of Object.entries(test.expect)) {
    const profile = PROFILES[name];
    // A recorded error of another marshaler is not expected here.
    if (typeof expected === 'string') continue;
    if (profile === undefined) {
      differences.push(`there is no profile ${name}`);
      continue;
    }
    const reply = await server.send({ method: 'GET', path: '/v1', query: profile.query, headers: [], body: '' });
    const wanted = profile.emptyBytesAsNull ? nullEmptyBytes(expected, registry.getMessage(test.message)) : expected;
    differences.push(...expectSame('status', reply.status, 200), ...expectSame(name, readJson(reply.text), wanted));
  }
  return differences;
}

function nullEmptyBytes(value: unknown, desc: DescMessage | undefined): unknown {
  if (desc === undefined || typeof value !== 'object' || value === null || desc.typeName.startsWith('google.protobuf.'))
    return value;
  if (Array.isArray(value)) return value.map((item) => nullEmptyBytes(item, desc));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, unknown] => {
      const field = desc.fields.find((candidate) => candidate.name === name || candidate.jsonName === name);
      if (field?.fieldKind === 'scalar' && field.scalar === ScalarType.BYTES && item === '') return [name, null];
      return [
        name,
        field?.fieldKind === 'message' || field?.fieldKind === 'list' ? nullEmptyBytes(item, field.message) : item,
      ];
    }),
  );
}
