import { cidrs, type EnvProblem, list, secret } from '@mlango/service-kit/env';
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

const unknownAggregator = `must be a comma-separated list of ${aggregatorIds.join(', ')}`;

/** The doors that are open; without it all of them, in production the canonical one alone. */
export const mountedShape = {
  AGGREGATORS: list()
    .transform((ids, context): readonly AggregatorId[] | undefined => {
      if (ids.some((id) => !isAggregator(id)))
        context.issues.push({ code: 'custom', message: unknownAggregator, input: undefined });
      return ids.length === 0 ? undefined : ids.filter(isAggregator);
    })
    .optional(),
};

function isAggregator(id: string): id is AggregatorId {
  return aggregatorIds.some((known) => known === id);
}

interface Mounting {
  readonly NODE_ENV: string;
  readonly AGGREGATORS?: readonly AggregatorId[] | undefined;
}

/** Whose endpoints exist. */
export function mountedAggregators({ NODE_ENV, AGGREGATORS }: Mounting): readonly AggregatorId[] {
  return aggregatorIds.filter((id) => AGGREGATORS?.includes(id) ?? (NODE_ENV !== 'production' || id === 'canonical'));
}

/** An endpoint that anybody can call is anybody's way to invent subscribers: the canonical one is closed at the network, others here. */
export function openDoorsRule(config: Mounting & Partial<OriginSettings>): EnvProblem[] {
  if (config.NODE_ENV !== 'production') return [];
  return mountedAggregators(config)
    .filter((id) => id !== 'canonical' && !isGuarded(originOf(id, config)))
    .map((id) => ({
      variable: `${prefixOf(id)}_SECRET`,
      message: `is required in production while AGGREGATORS has ${id} (or ${prefixOf(id)}_CIDRS)`,
    }));
}

const isGuarded = ({ secret, cidrs }: Origin) => secret !== undefined || cidrs.length > 0;

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

/** The variables to set for aggregators that are mounted without addresses. None where addresses are trusted for all. */
export function withoutAddresses(
  config: Mounting & Partial<OriginSettings> & { RATE_LIMIT_TRUSTED_CIDRS: readonly string[] },
): string[] {
  if (config.RATE_LIMIT_TRUSTED_CIDRS.length > 0) return [];
  return mountedAggregators(config)
    .filter((id) => originOf(id, config).cidrs.length === 0)
    .map((id) => `${prefixOf(id)}_CIDRS`);
}
