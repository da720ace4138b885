import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EnvError } from '@mlango/service-kit/env';
import { systemCode, systemReason } from '@mlango/service-kit/errors';
import { z } from 'zod';
/** Requests that the chain has an answer for, in JSON with names as declared, by the name of their rpc: `ixo.entity.v1beta1.Query/Entity`. */
export type ExampleRequests = Readonly<Record<string, object>>;

/** The value of a request at a field path such as `pagination.limit`; undefined without one. */
export function valueAt(request: unknown, fieldPath: string): unknown {
  return fieldPath.split('.').reduce((value: unknown, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, request);
}

/** The body of a request: the named field, or for `*` all fields that are not in the path. */
export function bodyOf(request: object, body: string, bound: ReadonlySet<string>): unknown {
  if (body !== '*') return valueAt(request, body);
  return Object.fromEntries(Object.entries(request).filter(([name]) => !bound.has(name)));
}

const VARIABLE = 'PROTO_EXAMPLES';
const schema = z.record(z.string(), z.looseObject({}));

interface ExamplesConfig {
  readonly NODE_ENV: string;
  readonly PROTO_EXAMPLES?: string | undefined;
}

/**
 * Example requests for the OpenAPI document, by rpc. Examples fit one chain only: in production there are none without a file;
 * otherwise those of the mock node are used.
 *
 * @throws {EnvError} for an unreadable or malformed file
 */
export function readExamples(config: ExamplesConfig): ExampleRequests {
  const named = config.PROTO_EXAMPLES;
  if (named === undefined && config.NODE_ENV === 'production') return {};
  try {
    return schema.parse(JSON.parse(readFileSync(named ?? ofMockNode(), 'utf8')));
  } catch (error) {
    const code = systemCode(error);
    const problem =
      code === undefined
        ? 'must name a file of JSON: a request for each name of an rpc'
        : `cannot be read: ${systemReason(code)}`;
    throw new EnvError([{ variable: VARIABLE, message: problem }]);
  }
}

function ofMockNode(): string {
  return createRequire(import.meta.url).resolve('@mlango/proto/examples.json');
}
