import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EnvError } from '@mlango/service-kit/env';
import { systemCode, systemReason } from '@mlango/service-kit/errors';
import { z } from 'zod';
/** Requests that the chain has an answer for, in JSON with names as declared, by the name of their rpc: `ixo.entity.v1beta1.Query/Entity`. */
export type ExampleRequests = Readonly<Record<string, object>>;

/** What a request holds at a path of fields such as `pagination.limit`; undefined where it holds nothing. */
export function valueAt(request: unknown, fieldPath: string): unknown {
  return fieldPath.split('.').reduce((value: unknown, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, request);
}

/** What is left of a request for its body: the field of that name, or with `*` all that the path does not hold. */
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
 * Requests for the description of the routes, by rpc. What is an example on one chain is nothing on another: in production there are none
 * unless a file is named; elsewhere those of the mock node.
 *
 * @throws {EnvError} when the file cannot be read, or holds something else
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
