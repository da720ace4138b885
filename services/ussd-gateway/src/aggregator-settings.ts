import { cidrs, type EnvProblem, type EnvSource, flag, list, secret } from '@mlango/service-kit/env';
import type { z } from 'zod';
import type { KnownAggregator } from './aggregators/adapter.js';

/**
 * Allowed callers of an aggregator. An unset check does not restrict; callers from set addresses have no rate limit per
 * address.
 */
export interface Origin {
  readonly secret: string | undefined;
  readonly cidrs: readonly string[];
}

/** An aggregator with its settings. */
export interface ConfiguredAggregator extends KnownAggregator {
  readonly origin: Origin;
  /** Whether its endpoints exist. */
  readonly isMounted: boolean;
}

/** The variables of the secrets and addresses of aggregators, as each names them. */
export function aggregatorShape(known: readonly KnownAggregator[]): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  for (const { caller } of known) {
    if (caller.secret !== undefined) shape[caller.secret] = secret({ minLength: 16 });
    if (caller.addresses !== undefined) shape[caller.addresses] = cidrs();
  }
  return shape;
}

/** Secrets and addresses of the environment that no aggregator checks: an operator would believe an open endpoint restricted. */
export function uncheckedSettings(known: readonly KnownAggregator[], source: EnvSource): EnvProblem[] {
  const checked = aggregatorShape(known);
  return Object.entries(source)
    .filter(
      ([name, value]) =>
        value !== undefined && value !== '' && /^AGGREGATOR_\w+_(?:SECRET|CIDRS)(?:_FILE)?$/.test(name),
    )
    .filter(([name]) => !(name in checked) && !(name.replace(/_FILE$/, '') in checked))
    .map(([variable]) => ({
      variable,
      message: 'is set, but no aggregator checks it: name it under verify of the description, or remove it',
    }));
}

/**
 * Whether the canonical endpoint accepts requests without a secret and from any address, although phone numbers give
 * access to more than menus.
 */
export const canonicalOpenShape = {
  AGGREGATOR_CANONICAL_OPEN: flag(false).describe(
    '`on`: a proxy restricts the callers of the canonical endpoint, which needs neither',
  ),
};

/** The service code of each service id that Hubtel's app, mall and points of sale send. */
export const hubtelServicesShape = {
  AGGREGATOR_HUBTEL_SERVICE_IDS: list()
    .refine(
      (pairs) => pairs.every((pair) => /^[0-9A-Fa-f-]{32,36}=\*[0-9]+(?:\*[0-9]+)*#$/.test(pair)),
      'must be a comma-separated list of <32 hex digits>=<service code>, such as 0f1e…=*713#',
    )
    .transform((pairs): ReadonlyMap<string, string> => {
      const split = pairs.map((pair) => pair.split('=', 2));
      return new Map(split.map(([id = '', code = '']) => [id.replaceAll('-', '').toLowerCase(), code]));
    })
    .describe('Service codes by the ids of Hubtel: `<service id>=<service code>`, comma-separated'),
};

/** Aggregators with endpoints; by default all of them, in production only the canonical one. */
export const mountedShape = {
  AGGREGATORS: list()
    .transform((ids): readonly string[] | undefined => (ids.length === 0 ? undefined : ids))
    .optional()
    .meta({
      description: 'Comma-separated ids of enabled endpoints: adapters, and descriptions in `FLOWS_DIR`',
      shownDefault: 'all; in production `canonical`',
    }),
};

interface Mounting {
  readonly NODE_ENV: string;
  readonly AGGREGATORS?: readonly string[] | undefined;
}

/**
 * Assigns settings to each aggregator.
 *
 * @param values of the variables, including those of `aggregatorShape`.
 */
export function configureAggregators(
  known: readonly KnownAggregator[],
  values: Mounting,
): readonly ConfiguredAggregator[] {
  const { NODE_ENV, AGGREGATORS } = values;
  const read = new Map<string, unknown>(Object.entries(values));
  return known.map((aggregator) => {
    const { id, caller } = aggregator;
    const shown = read.get(caller.secret ?? '');
    const ranges = read.get(caller.addresses ?? '');
    return {
      ...aggregator,
      origin: { secret: typeof shown === 'string' ? shown : undefined, cidrs: Array.isArray(ranges) ? ranges : [] },
      isMounted: AGGREGATORS?.includes(id) ?? (NODE_ENV !== 'production' || id === 'canonical'),
    };
  });
}

interface Serving {
  readonly NODE_ENV: string;
  readonly aggregators: readonly ConfiguredAggregator[];
}

/** Aggregators with endpoints. */
export function mountedAggregators({ aggregators }: Pick<Serving, 'aggregators'>): readonly ConfiguredAggregator[] {
  return aggregators.filter(({ isMounted }) => isMounted);
}

/** Names in `AGGREGATORS` without an aggregator. */
export function unknownAggregatorsRule({ AGGREGATORS = [], aggregators }: Mounting & Serving): EnvProblem[] {
  const ids = aggregators.map(({ id }) => id);
  if (AGGREGATORS.every((id) => ids.includes(id))) return [];
  const message = `must be a comma-separated list of ${ids.join(', ')}; another one is described in <id>.aggregator.yaml in FLOWS_DIR`;
  return [{ variable: 'AGGREGATORS', message }];
}

/** Settings that give a phone number access to more than menus. */
interface PhoneAccess {
  readonly ORACLE_URL?: string | undefined;
  readonly WEBHOOKS?: Readonly<Record<string, unknown>> | undefined;
  readonly MESSAGES?: unknown;
  readonly AGGREGATOR_CANONICAL_OPEN?: boolean | undefined;
}

/**
 * Problems of a production configuration in which any client can act as any phone: every mounted endpoint needs a
 * secret or addresses. The canonical one needs them if a phone number gives access to more than menus; with menus only
 * it may be restricted at the proxy.
 */
export function openEndpointsRule(config: Serving & PhoneAccess): EnvProblem[] {
  if (config.NODE_ENV !== 'production') return [];
  const problems = openEndpoints(config)
    .filter(({ id }) => id !== 'canonical')
    .map(({ id, caller: { secret: first, addresses } }) => ({
      variable: first ?? addresses ?? id,
      message:
        `is required in production while AGGREGATORS has ${id}` +
        (first === undefined || addresses === undefined ? '' : ` (or ${addresses})`),
    }));
  const access = accessByPhone(config);
  if (access.length === 0 || config.AGGREGATOR_CANONICAL_OPEN === true || !isCanonicalOpen(config)) return problems;
  const message =
    `is required in production, because ${access.join(' and ')} give a phone number access to more than menus ` +
    '(or AGGREGATOR_CANONICAL_CIDRS, or AGGREGATOR_CANONICAL_OPEN=on where a proxy restricts who calls)';
  return [...problems, { variable: 'AGGREGATOR_CANONICAL_SECRET', message }];
}

/** Whether any client can call the canonical endpoint in production. */
export function isCanonicalOpen(config: Serving): boolean {
  return config.NODE_ENV === 'production' && openEndpoints(config).some(({ id }) => id === 'canonical');
}

function openEndpoints(config: Serving): readonly ConfiguredAggregator[] {
  return mountedAggregators(config).filter(({ origin }) => origin.secret === undefined && origin.cidrs.length === 0);
}

/** The variables that give a phone number access to more than menus: conversations, payments, messages. */
function accessByPhone({ ORACLE_URL, WEBHOOKS = {}, MESSAGES }: PhoneAccess): readonly string[] {
  return [
    ...(ORACLE_URL === undefined ? [] : ['ORACLE_URL']),
    ...(Object.keys(WEBHOOKS).length === 0 ? [] : ['WEBHOOKS']),
    ...(MESSAGES === undefined ? [] : ['MESSAGES']),
  ];
}

/** The variables to set for aggregators mounted without addresses. None if addresses are trusted for all. */
export function withoutAddresses(config: Serving & { RATE_LIMIT_TRUSTED_CIDRS: readonly string[] }): string[] {
  if (config.RATE_LIMIT_TRUSTED_CIDRS.length > 0) return [];
  return mountedAggregators(config)
    .filter(({ origin }) => origin.cidrs.length === 0)
    .map(({ id, caller }) => caller.addresses ?? `${id} (verify.addresses in its description)`);
}
