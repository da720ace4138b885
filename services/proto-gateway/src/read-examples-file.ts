import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EnvError } from '@mlango/service-kit/env';
import { systemCode, systemReason } from '@mlango/service-kit/errors';
import { z } from 'zod';
import type { ExampleRequests } from './catalog/example-requests.js';

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
