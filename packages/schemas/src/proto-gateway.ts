import { z } from 'zod';

/** A detail of an error: a JSON object that names its protobuf type. */
export const statusDetail = z
  .looseObject({ '@type': z.string().describe('The type, such as `type.googleapis.com/google.rpc.BadRequest`.') })
  .describe('One detail of an error, for programs.');

/** Every error of the query gateway. Source: google.rpc.Status in its JSON form. */
export const rpcError = z
  .object({
    code: z.int().min(1).max(16).describe('The gRPC status code.'),
    message: z.string().describe('What went wrong, for people.'),
    details: z.array(statusDetail),
  })
  .describe('The error of a query.');

/** What is wrong with one field of a request. Source: google.rpc.BadRequest. */
export const fieldViolation = z.object({
  field: z.string().describe('The parameter as it was sent.'),
  description: z.string(),
});

/** The detail that comes with code 3 for a request that does not fit its method. */
export const badRequestDetail = z.object({
  '@type': z.literal('type.googleapis.com/google.rpc.BadRequest'),
  field_violations: z.array(fieldViolation),
});

/** A module error of the chain that was given its real status. Source: google.rpc.ErrorInfo. */
export const moduleErrorDetail = z.object({
  '@type': z.literal('type.googleapis.com/google.rpc.ErrorInfo'),
  reason: z.string().describe('A constant for programs, such as `CLAIM_NOT_FOUND`.'),
  domain: z.string(),
  metadata: z.object({ codespace: z.string(), code: z.string() }),
});

/** `GET /`: what this gateway serves, and how its chain stands. */
export const gatewayIndex = z
  .object({
    service: z.literal('proto-gateway'),
    version: z.string(),
    prefixes: z.object({
      current: z.string().describe('The first path segment, with its slash.'),
      legacy: z.array(z.string()).describe('Segments that serve the same routes until their callers have moved.'),
    }),
    services: z.array(
      z.object({
        name: z.string().describe('Full name of a gRPC service.'),
        methods: z.array(z.object({ rpc: z.string(), method: z.string(), path: z.string(), disabled: z.boolean() })),
      }),
    ),
    node: z.object({
      reachable: z.boolean(),
      height: z.string().nullable().describe('The last block the node reports, in digits.'),
    }),
    documentation: z.string(),
    openapi: z.string(),
  })
  .describe('The index of the query gateway.');

/** `GET /health`: the process runs. */
export const gatewayLiveness = z.object({ status: z.literal('ok') });

export type RpcError = z.output<typeof rpcError>;
export type GatewayIndex = z.output<typeof gatewayIndex>;
