import { z } from 'zod';

/** The form of a file of gateway cases: inputs and expected results, in no programming language. */
const json = z.record(z.string(), z.unknown());
const request = z.object({
  method: z.string().default('GET'),
  path: z.string(),
  query: z.string().default(''),
  headers: z.array(z.tuple([z.string(), z.string()])).default([]),
  body: z.string().default(''),
});
const named = { name: z.string(), group: z.string().optional() };

const routeCase = z.object({
  ...named,
  kind: z.literal('route'),
  rules: z.array(z.object({ method: z.string(), template: z.string(), body: z.string().default('') })),
  request,
  mode: z.enum(['', 'all_except_reserved', 'all_except_slash', 'all']).default(''),
  expect: z.object({
    status: z.number(),
    rule: z.number().optional(),
    request: json.optional(),
    grpc_code: z.number().optional(),
  }),
});
const templateCase = z.object({
  ...named,
  kind: z.literal('template'),
  template: z.string(),
  expect: z.object({ valid: z.boolean() }),
});
const statusCase = z.object({
  ...named,
  kind: z.literal('status'),
  code: z.number(),
  expect: z.object({ status: z.number() }),
});
const errorCase = z.object({
  ...named,
  kind: z.literal('error'),
  code: z.number(),
  message: z.string().default(''),
  expect: z.object({ status: z.number(), body: json.optional() }),
});
const headerCase = z.object({
  ...named,
  kind: z.literal('header'),
  request,
  expect: z.object({
    status: z.number().optional(),
    metadata_contains: z.record(z.string(), z.array(z.string())).default({}),
    metadata_absent: z.array(z.string()).default([]),
  }),
});
const timeoutCase = z.object({
  ...named,
  kind: z.literal('timeout'),
  request,
  expect: z.object({ status: z.number().optional(), deadline_ms: z.number().optional() }),
});
const marshalCase = z.object({
  ...named,
  kind: z.literal('marshal'),
  message: z.string(),
  wire_b64: z.string(),
  expect: z.record(z.string(), z.union([json, z.string()])),
});
const streamCase = z.object({
  ...named,
  kind: z.literal('stream'),
  messages: z.array(json),
  end_status: z.number().default(0),
  end_message: z.string().default(''),
  expect: z.object({
    status: z.number(),
    body: z.union([z.string(), json]).optional(),
    lines: z.array(json).optional(),
  }),
});
const healthCase = z.object({
  ...named,
  kind: z.literal('health'),
  serving_status: z.string(),
  code: z.number().default(0),
  expect: z.object({ status: z.number(), content_type: z.string().optional() }),
});

export const gatewayCase = z.discriminatedUnion('kind', [
  routeCase,
  templateCase,
  statusCase,
  errorCase,
  headerCase,
  timeoutCase,
  marshalCase,
  streamCase,
  healthCase,
]);

/** The cases are read one by one, so that one of an unknown form fails alone. */
export const casesFile = z.object({ schema: z.string(), cases: z.array(z.unknown()) });

export type GatewayCase = z.output<typeof gatewayCase>;
export type CaseOf<Kind extends GatewayCase['kind']> = Extract<GatewayCase, { kind: Kind }>;
export type CaseRequest = z.output<typeof request>;
export type Rule = CaseOf<'route'>['rules'][number];
