import {
  gatewayBatchReply,
  gatewayBatchRequest,
  gatewayBlock,
  gatewayWatchEvent,
  gatewayWatchRequest,
} from '@mlango/schemas/proto-gateway';
import { z } from 'zod';
import type { SchemaCollector } from './schemas.js';

/** The query parameters of a watch. */
export const WATCH_PARAMETERS = [
  {
    name: 'watch',
    in: 'query',
    description:
      'With `1` the reply is `text/event-stream`: the answer at once, and again with each block that changed it, with the height as `id`.',
    schema: { type: 'string', enum: ['0', '1'] },
  },
  {
    name: 'from',
    in: 'query',
    description:
      'With `watch`: the height of the last received event, as `Last-Event-ID`. Only later changes are sent.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
] as const;

/** New blocks; not an rpc. */
export function describeBlocks(schemas: SchemaCollector): Record<string, unknown> {
  const schema = z.toJSONSchema(gatewayBlock);
  return {
    operationId: 'blocks',
    summary: 'The newest block, and with `watch=1` each one that follows',
    description: 'The newest block of the chain nodes. Blocks between two probes of the nodes have no time.',
    parameters: WATCH_PARAMETERS,
    responses: {
      200: {
        description: 'The newest block; with `watch`, events with blocks as data.',
        content: { 'application/json': { schema }, 'text/event-stream': { schema: { type: 'string' } } },
      },
      default: { description: 'An error.', content: error(schemas) },
    },
  };
}

/** The WebSocket. OpenAPI cannot describe its messages, so they are in an extension. */
export function describeWatchSocket(schemas: SchemaCollector): Record<string, unknown> {
  return {
    operationId: 'watch',
    summary: 'Many watches over one WebSocket',
    description:
      'A WebSocket, to be opened as one. Both sides send messages of JSON as text: clients those of `x-websocket.send`, the gateway those of `x-websocket.receive`.',
    parameters: [],
    responses: {
      101: { description: 'The connection is a WebSocket.' },
      404: { description: 'Not a WebSocket request.', content: error(schemas) },
      default: { description: 'An error.', content: error(schemas) },
    },
    'x-websocket': { send: z.toJSONSchema(gatewayWatchRequest), receive: z.toJSONSchema(gatewayWatchEvent) },
  };
}

function error(schemas: SchemaCollector) {
  return { 'application/json': { schema: schemas.error() } };
}

/** The batch operation, which is not an rpc. `paths` are those of its example. */
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
