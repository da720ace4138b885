import {
  type EnvSource,
  flag,
  processShape,
  readEnv,
  secret,
  telemetryShape,
  text,
  url,
} from '@mlango/service-kit/env';
import { z } from 'zod';

const service = (fallback: string) => url({ protocols: ['http:', 'https:'] }).default(fallback);

const schema = z.object({
  ...processShape({ port: 3003, rateLimitMax: 1200 }),
  ...telemetryShape,
  USSD_GATEWAY_URL: service('http://127.0.0.1:3000'),
  ORACLE_URL: service('http://127.0.0.1:3001'),
  PROTO_GATEWAY_URL: service('http://127.0.0.1:3002'),
  /** Audience of the page's tokens: the oracle's DID or the DID of its entity. */
  ORACLE_DID: text('did:ixo:entity:e0001').refine((value) => value.startsWith('did:'), 'must be a DID'),
  /** Service code that the handset dials unless the user enters another one. */
  SERVICE_CODE: text('*2233#').refine((value) => /^\*\d+(\*\d+)*#$/.test(value), 'must look like *384#'),
  /** Whether the page has a handset that can use any number. Default: outside production only. */
  HANDSET: flag(false).unwrap().optional(),
  /** Whether the page may top up credit balances. Default: outside production only. */
  TOP_UPS: flag(false).unwrap().optional(),
  /** Aggregator secret of the USSD gateway, if it requires one. */
  AGGREGATOR_CANONICAL_SECRET: secret({ minLength: 8 }),
  /** API key of the query gateway, if it requires one. */
  PROTO_GATEWAY_API_KEY: secret({ minLength: 16 }),
});

export type Config = z.output<typeof schema>;

/** Development features, off in production by default. */
export interface DevelopmentFeatures {
  readonly HANDSET: boolean;
  readonly TOP_UPS: boolean;
}

/** @throws {EnvError} naming every variable that is wrong */
export function readConfig(source: EnvSource): Config & DevelopmentFeatures {
  const config = readEnv(schema, source);
  const isDevelopment = config.NODE_ENV !== 'production';
  return { ...config, HANDSET: config.HANDSET ?? isDevelopment, TOP_UPS: config.TOP_UPS ?? isDevelopment };
}
