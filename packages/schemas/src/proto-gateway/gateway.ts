import { z } from 'zod';

/** A detail of an error: a JSON object that names its protobuf type. */
export const statusDetail = z
  .looseObject({ '@type': z.string().describe('The type, such as `type.googleapis.com/google.rpc.BadRequest`.') })
  .describe('One detail of an error, for programs.');

/** Every error of the query gateway. Source: google.rpc.Status in its JSON form. */
export const rpcError = z
  .object({
    code: z.int().min(1).max(16).describe('The gRPC status code.'),
    message: z.string().describe('The cause, as a sentence.'),
    details: z.array(statusDetail),
  })
  .describe('The error of a query.');

/** A violation of one field of a request. Source: google.rpc.BadRequest. */
export const fieldViolation = z.object({
  field: z.string().describe('The parameter as it was sent.'),
  description: z.string(),
});

/** The detail of code 3 for a request that does not match its method. */
export const badRequestDetail = z.object({
  '@type': z.literal('type.googleapis.com/google.rpc.BadRequest'),
  field_violations: z.array(fieldViolation),
});

/** A module error of the chain, with its real status. Source: google.rpc.ErrorInfo. */
export const moduleErrorDetail = z.object({
  '@type': z.literal('type.googleapis.com/google.rpc.ErrorInfo'),
  reason: z.string().describe('A constant for programs, such as `CLAIM_NOT_FOUND`.'),
  domain: z.string(),
  metadata: z.object({ codespace: z.string(), code: z.string() }),
});

/** `GET /`: the services of this gateway, and the state of its chain. */
export const gatewayIndex = z
  .object({
    service: z.literal('proto-gateway'),
    version: z.string(),
    prefixes: z.object({
      current: z.string().describe('The first path segment, with its slash.'),
      legacy: z.array(z.string()).describe('Further segments with the same routes, for older clients.'),
    }),
    services: z.array(
      z.object({
        name: z.string().describe('Full name of a gRPC service.'),
        methods: z.array(z.object({ rpc: z.string(), method: z.string(), path: z.string(), disabled: z.boolean() })),
      }),
    ),
    node: z.object({
      reachable: z.boolean(),
      height: z.string().nullable().describe('The last block that a node reports, in digits.'),
    }),
    /** Paths; absent if this deployment has no documentation. */
    documentation: z.string().optional(),
    openapi: z.string().optional(),
  })
  .describe('The index of the query gateway.');

/** `GET /health`: the process runs. */
export const gatewayLiveness = z.object({ status: z.literal('ok') });

const pathsOfABatch = 'must be 1 to 50 paths';
const blockHeight = 'must be a block height, in digits';
const pathOfAQuery = 'must be a path with its query, as in a GET request';
const queryPath = z
  .string(pathOfAQuery)
  .max(4096, 'must have at most 4096 characters')
  .regex(/^\/[\x21-\x7e]*$/, pathOfAQuery);
const height = z.string(blockHeight).regex(/^[0-9]{1,18}$/, blockHeight);

/** `POST /<prefix>/batch`: several queries in one request. */
export const gatewayBatchRequest = z
  .object(
    {
      paths: z
        .array(queryPath, pathsOfABatch)
        .min(1, pathsOfABatch)
        .max(50, pathsOfABatch)
        .describe('Paths with their queries, as in GET requests.'),
      height: height.optional().describe('Block height for all paths; default: the latest.'),
    },
    'must be an object with paths',
  )
  .describe('A batch of queries.');

/** The answers to a batch, in the order of its paths. */
export const gatewayBatchReply = z
  .object({
    height: z.string().nullable().describe('The height of all answers; `null` if the node reports none.'),
    replies: z.array(
      z.object({
        path: z.string(),
        status: z.int().describe('HTTP status of this path.'),
        node: z.string().optional().describe('With `EXPOSE_NODE`: the index of the node, or `cache`.'),
        body: z.unknown().describe('Body of this path.'),
      }),
    ),
  })
  .describe('The answers to a batch of queries.');

/** `POST /revocations`: a UCAN token that revokes another one. */
export const gatewayRevocation = z
  .object({ token: z.string().min(1).max(8192).describe('An invocation of `ucan/revoke` by the issuer.') })
  .describe('Revocation of a token.');

/** `GET /<prefix>/blocks`: a block of the chain. */
export const gatewayBlock = z
  .object({
    height: z.string().describe('Height in digits.'),
    time: z.iso
      .datetime()
      .nullable()
      .describe('Time of the block; `null` for a block between two checks of the nodes.'),
    chain_id: z.string().nullable().describe('`null` until a node has reported it.'),
  })
  .describe('A block of the chain.');

const idOfAWatch = 'must be 1 to 64 characters';
/** Id of a watch, chosen by the client. */
export const gatewayWatchId = z
  .string(idOfAWatch)
  .min(1, idOfAWatch)
  .max(64, idOfAWatch)
  .describe('Chosen by the client, and repeated in the events of the watch.');

/** Messages of a client on the WebSocket `/<prefix>/watch`. */
export const gatewayWatchRequest = z
  .discriminatedUnion('op', [
    z.object({
      op: z.literal('subscribe'),
      id: gatewayWatchId,
      path: queryPath.describe('A query, or `/<prefix>/blocks`.'),
      from: height.optional().describe('The height of the last received event: only later changes are sent.'),
    }),
    z.object({ op: z.literal('unsubscribe'), id: gatewayWatchId }),
  ])
  .describe('Starts or ends a watch.');

/** Messages to a client on the WebSocket. */
export const gatewayWatchEvent = z
  .object({
    id: z.string().optional().describe('Id of the watch; absent for an event of all watches.'),
    event: z.enum(['subscribed', 'unsubscribed', 'refused', 'answer', 'block', 'failed', 'status', 'heartbeat']),
    height: z.string().optional().describe('Height of its block, in digits.'),
    data: z.unknown().optional().describe('The reply, a block, an error, or the state of the watch.'),
  })
  .describe('An event of a watch.');

const keyStanding = (of: string) =>
  z.object({
    used: z.int().describe(`${of} of the current minute.`),
    limit: z.int().nullable().describe('Limit for one minute; `null` without a limit.'),
    reset_seconds: z.int().describe('Seconds until the count restarts.'),
  });

/** `GET /usage`: usage and limits of an API key. */
export const gatewayUsage = z
  .object({
    key: z.string().describe('The name of the key.'),
    requests: keyStanding('Requests'),
    bytes: keyStanding('Bytes of replies'),
    page_limit: z.int().nullable(),
    methods: z.array(z.string()).nullable().describe('Allowed services and methods; `null` for all.'),
    heights: z.string().nullable().describe('`latest`, `FROM-` or `FROM-TO`; `null` for all.'),
    expires: z.iso.datetime().nullable(),
  })
  .describe('Usage of a key in the current minute.');

export type GatewayBlock = z.output<typeof gatewayBlock>;
export type GatewayWatchEvent = z.output<typeof gatewayWatchEvent>;
export type GatewayWatchRequest = z.output<typeof gatewayWatchRequest>;
export type GatewayUsage = z.output<typeof gatewayUsage>;
export type GatewayBatchRequest = z.output<typeof gatewayBatchRequest>;
export type RpcError = z.output<typeof rpcError>;
export type GatewayIndex = z.output<typeof gatewayIndex>;
