import { cidrs, secret } from '@mlango/service-kit/env';
import { type AggregatorId, aggregatorIds } from './aggregators/registry.js';

type Prefix = `AGGREGATOR_${Uppercase<AggregatorId>}`;
type AggregatorShape = Record<`${Prefix}_SECRET`, ReturnType<typeof secret>> &
  Record<`${Prefix}_CIDRS`, ReturnType<typeof cidrs>>;

const prefixOf = (id: AggregatorId) => `AGGREGATOR_${id.toUpperCase() as Uppercase<AggregatorId>}` as const;

/** `AGGREGATOR_<ID>_SECRET` and `AGGREGATOR_<ID>_CIDRS` for each aggregator there is. */
export const aggregatorShape = Object.fromEntries(
  aggregatorIds.flatMap((id) => [
    [`${prefixOf(id)}_SECRET`, secret({ minLength: 16 })],
    [`${prefixOf(id)}_CIDRS`, cidrs()],
  ]),
) as AggregatorShape;

/** Who may call for an aggregator. What is not set does not restrict; addresses that are set are not limited as strangers are. */
export interface Origin {
  readonly secret: string | undefined;
  readonly cidrs: readonly string[];
}

type OriginSettings = Readonly<Record<`${Prefix}_SECRET`, string | undefined> & Record<`${Prefix}_CIDRS`, string[]>>;

export function originOf(id: AggregatorId, config: Partial<OriginSettings>): Origin {
  const prefix = prefixOf(id);
  return { secret: config[`${prefix}_SECRET`], cidrs: config[`${prefix}_CIDRS`] ?? [] };
}

/**
 * The variables to set for aggregators that have no addresses: those that are set up with a secret, and where none is set up
 * at all, any may be the one that calls. None where addresses are trusted for all.
 */
export function withoutAddresses(
  config: Partial<OriginSettings> & { RATE_LIMIT_TRUSTED_CIDRS: readonly string[] },
): string[] {
  if (config.RATE_LIMIT_TRUSTED_CIDRS.length > 0) return [];
  const origins = aggregatorIds.map((id) => ({ variable: `${prefixOf(id)}_CIDRS`, ...originOf(id, config) }));
  const isSetUp = ({ secret, cidrs }: Origin) => secret !== undefined || cidrs.length > 0;
  const expected = origins.some(isSetUp) ? origins.filter(isSetUp) : origins;
  return expected.filter(({ cidrs }) => cidrs.length === 0).map(({ variable }) => variable);
}
