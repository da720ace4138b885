import { type DescMessage, fromBinary, toJson } from '@bufbuild/protobuf';
import { everythingRegistry, messageOf } from '@mlango/test-services/descriptors';
import { parseQuery, type UnknownQuery } from '../src/bind/query.js';
import { type BoundRequest, bindRequest } from '../src/bind/request.js';
import type { RequestRule } from '../src/bind/request-rule.js';
import { parseTemplate } from '../src/template/parse-template.js';

const registry = everythingRegistry();
const everything = messageOf(registry, 'everything.v1.Everything');
export const listRequest = messageOf(registry, 'everything.v1.ListRequest');

interface BindInput {
  readonly input?: DescMessage;
  readonly path?: readonly (readonly [field: string, value: string])[];
  readonly query?: string;
  readonly body?: string;
  readonly rule?: string;
  readonly method?: string;
  readonly unknownQuery?: UnknownQuery;
  readonly rules?: readonly RequestRule[];
}

export function bind({
  input = everything,
  path = [],
  query = '',
  body = '',
  rule = '',
  method = 'GET',
  unknownQuery = 'warn',
  rules = [],
}: BindInput): BoundRequest {
  const parsed = parseTemplate(`/${path.map(([field]) => `{${field}}`).join('/')}`);
  const pairs = parseQuery(query);
  if ('problem' in parsed || 'violations' in pairs) throw new Error('not what this test is about');
  const values = path.map(([, value]) => value);
  const parts = { template: parsed.template, values, query: pairs.pairs, body: new TextEncoder().encode(body) };
  return bindRequest({ input, body: rule, method }, parts, {
    registry,
    unknownQuery,
    formatOf: () => undefined,
    rules,
  });
}

export function bound(request_: BindInput): unknown {
  const result = bind(request_);
  if ('violations' in result) return result.violations;
  const desc = request_.input ?? everything;
  return toJson(desc, fromBinary(desc, result.bytes), { registry, useProtoFieldName: true });
}
