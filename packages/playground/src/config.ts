import { type EnvSource, flag, processShape, readEnv, secret, text, url } from '@mlango/service-kit/env';
import { z } from 'zod';

const service = (fallback: string) => url({ protocols: ['http:', 'https:'] }).default(fallback);

const schema = z.object({
  ...processShape({ port: 3003, rateLimitMax: 1200 }),
  USSD_GATEWAY_URL: service('http://127.0.0.1:3000'),
  ORACLE_URL: service('http://127.0.0.1:3001'),
  PROTO_GATEWAY_URL: service('http://127.0.0.1:3002'),
  /** Whom the page's tokens are addressed to: the oracle's DID or the DID of its entity. */
  ORACLE_DID: text('did:ixo:entity:e0001').refine((value) => value.startsWith('did:'), 'must be a DID'),
  /** What the handset dials unless its user types another code. */
  SERVICE_CODE: text('*2233#').refine((value) => /^\*\d+(\*\d+)*#$/.test(value), 'must look like *384#'),
  /** A phone that can have any number. Unless said otherwise it is there outside production only. */
  HANDSET: flag(false).unwrap().optional(),
  /** Whether the page may add to balances of credits. Unless said otherwise outside production only. */
  TOP_UPS: flag(false).unwrap().optional(),
  /** The secret by which the USSD gateway knows its aggregator, where it asks for one. */
  AGGREGATOR_CANONICAL_SECRET: secret({ minLength: 8 }),
  /** For a query gateway that asks who calls. */
  PROTO_GATEWAY_API_KEY: secret({ minLength: 16 }),
});

export type Config = z.output<typeof schema>;

/** What is for development alone, unless a deployment says otherwise. */
export interface DevelopmentDoors {
  readonly HANDSET: boolean;
  readonly TOP_UPS: boolean;
}

/** @throws {EnvError} naming every variable that is wrong */
export function readConfig(source: EnvSource): Config & DevelopmentDoors {
  const config = readEnv(schema, source);
  const isDevelopment = config.NODE_ENV !== 'production';
  return { ...config, HANDSET: config.HANDSET ?? isDevelopment, TOP_UPS: config.TOP_UPS ?? isDevelopment };
}
