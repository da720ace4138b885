import { gatewayBatchReply, gatewayBatchRequest } from '@mlango/schemas/proto-gateway';
import { z } from 'zod';
import type { SchemaCollector } from './openapi-schemas.js';

/** The one operation that is no rpc. `paths` are those of its example. */
export function describeBatch(schemas: SchemaCollector, paths: readonly string[]): Record<string, unknown> {
  const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
  return {
    operationId: 'batch',
    summary: 'Several queries at one block height',
    parameters: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: z.toJSONSchema(gatewayBatchRequest), example: { paths } } },
    },
    responses: {
      200: { description: 'The answers, in the order of the paths.', ...json(z.toJSONSchema(gatewayBatchReply)) },
      default: { description: 'An error.', ...json(schemas.error()) },
    },
  };
}
