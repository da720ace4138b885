import { cidrs, type EnvProblem, flag, list, secret } from '@mlango/service-kit/env';
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

/** Whether the canonical endpoint takes requests without a secret and from any address, although phone numbers give access to more than menus. */
export const canonicalOpenShape = { AGGREGATOR_CANONICAL_OPEN: flag(false) };

/** The service code of each service id by which Hubtel's app, mall and points of sale name a service. */
export const hubtelServicesShape = {
  AGGREGATOR_HUBTEL_SERVICE_IDS: list()
    .refine(
      (pairs) => pairs.every((pair) => /^[0-9A-Fa-f-]{32,36}=\*[0-9]+(?:\*[0-9]+)*#$/.test(pair)),
      'must be a comma-separated list of <32 hex digits>=<service code>, such as 0f1e…=*713#',
    )
    .transform((pairs): ReadonlyMap<string, string> => {
      const split = pairs.map((pair) => pair.split('=', 2));
      return new Map(split.map(([id = '', code = '']) => [id.replaceAll('-', '').toLowerCase(), code]));
    }),
};

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

/** The settings by which a phone number gives access to more than menus. */
interface PhoneAccess {
  readonly ORACLE_URL?: string | undefined;
  readonly WEBHOOKS?: Readonly<Record<string, unknown>> | undefined;
  readonly MESSAGES?: unknown;
  readonly AGGREGATOR_CANONICAL_OPEN?: boolean | undefined;
}

type Guarding = Mounting & Partial<OriginSettings> & PhoneAccess;

/**
 * Problems of a production configuration in which any client can act as any phone: every mounted endpoint needs a secret or addresses. The
 * canonical one needs them where a phone number gives access to more than menus; with menus alone it may be restricted at the proxy.
 */
export function openDoorsRule(config: Guarding): EnvProblem[] {
  if (config.NODE_ENV !== 'production') return [];
  const problems = openEndpoints(config)
    .filter((id) => id !== 'canonical')
    .map((id) => ({
      variable: `${prefixOf(id)}_SECRET`,
      message: `is required in production while AGGREGATORS has ${id} (or ${prefixOf(id)}_CIDRS)`,
    }));
  const access = accessByPhone(config);
  if (access.length === 0 || config.AGGREGATOR_CANONICAL_OPEN === true || !isCanonicalOpen(config)) return problems;
  const message =
    `is required in production, because ${access.join(' and ')} give a phone number access to more than menus ` +
    '(or AGGREGATOR_CANONICAL_CIDRS, or AGGREGATOR_CANONICAL_OPEN=on where a proxy restricts who calls)';
  return [...problems, { variable: 'AGGREGATOR_CANONICAL_SECRET', message }];
}

/** Whether any client can call the canonical endpoint in production. */
export function isCanonicalOpen(config: Mounting & Partial<OriginSettings>): boolean {
  return config.NODE_ENV === 'production' && openEndpoints(config).includes('canonical');
}

function openEndpoints(config: Mounting & Partial<OriginSettings>): readonly AggregatorId[] {
  return mountedAggregators(config).filter((id) => !isGuarded(originOf(id, config)));
}

/** The variables that give a phone number access to more than menus: conversations, payments, messages. */
function accessByPhone({ ORACLE_URL, WEBHOOKS = {}, MESSAGES }: PhoneAccess): readonly string[] {
  return [
    ...(ORACLE_URL === undefined ? [] : ['ORACLE_URL']),
    ...(Object.keys(WEBHOOKS).length === 0 ? [] : ['WEBHOOKS']),
    ...(MESSAGES === undefined ? [] : ['MESSAGES']),
  ];
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
