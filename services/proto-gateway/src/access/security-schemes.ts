import type { GateKind } from './gate.js';

const BEARER = (description: string) => ({ type: 'http', scheme: 'bearer', description });

/** Each entry is one way in; the names within one are needed together. */
const SCHEMES: Readonly<Record<GateKind, { schemes: Record<string, object>; ways: Record<string, string[]>[] }>> = {
  'api-key': {
    schemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key from the operator.' },
      bearer: BEARER('The same key as a bearer.'),
    },
    ways: [{ apiKey: [] }, { bearer: [] }],
  },
  ucan: {
    schemes: {
      ucan: BEARER('A UCAN invocation of `proto/query`, addressed to this gateway.'),
      authType: { type: 'apiKey', in: 'header', name: 'X-Auth-Type', description: 'Always `ucan`.' },
    },
    ways: [{ ucan: [], authType: [] }],
  },
};

/** Only a gateway that takes tokens has this path. */
const REVOCATIONS = {
  post: {
    operationId: 'revokeToken',
    summary: 'Revokes a UCAN token and all delegations that depend on it',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', required: ['token'], properties: { token: { type: 'string', maxLength: 8192 } } },
        },
      },
    },
    responses: { 204: { description: 'Recorded.' }, default: { description: 'An error.' } },
  },
};

/** Adds the security schemes of the gate to an OpenAPI document. */
export function withSecurity(document: Record<string, unknown>, kind: GateKind | undefined): Record<string, unknown> {
  if (kind === undefined) return document;
  const { schemes, ways } = SCHEMES[kind];
  const { components, paths } = document;
  return {
    ...document,
    security: ways,
    components: { ...asObject(components), securitySchemes: schemes },
    paths: { ...asObject(paths), ...(kind === 'ucan' ? { '/revocations': REVOCATIONS } : {}) },
  };
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
