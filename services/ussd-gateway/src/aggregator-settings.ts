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

/** Who may call for an aggregator. What is not set does not restrict. */
export interface Origin {
  readonly secret: string | undefined;
  readonly cidrs: readonly string[];
}

type OriginSettings = Readonly<Record<`${Prefix}_SECRET`, string | undefined> & Record<`${Prefix}_CIDRS`, string[]>>;

export function originOf(id: AggregatorId, config: Partial<OriginSettings>): Origin {
  const prefix = prefixOf(id);
  return { secret: config[`${prefix}_SECRET`], cidrs: config[`${prefix}_CIDRS`] ?? [] };
}
