import { keyringFromSecrets, parseSecretKey } from '@mlango/crypto/keyring';
import {
  databaseRule,
  EnvError,
  type EnvProblem,
  type EnvRule,
  type EnvSource,
  embeddedStoresRule,
  type GroupedConfig,
  groupConfig,
  readEnv,
  redisCaRule,
} from '@mlango/service-kit/env';
import { z } from 'zod';
import {
  aggregatorShape,
  type ConfiguredAggregator,
  configureAggregators,
  openEndpointsRule,
  uncheckedSettings,
  unknownAggregatorsRule,
} from './aggregator-settings.js';
import { readAggregators } from './aggregators/registry.js';
import { messagesProblems } from './connectors/message/messages-settings.js';
import { webhookProblems } from './connectors/webhook/webhook-settings.js';
import { keyProblem, settings } from './environment-variables.js';
import { tooManyGroups } from './tenants/service-codes.js';

const { http, sessions, accounts, flows, connectors, aggregators, stores, telemetry } = settings;

const schema = z.object({
  ...http,
  ...sessions,
  ...accounts,
  ...flows,
  ...connectors,
  ...aggregators,
  ...stores,
  ...telemetry,
});

type Values = z.output<typeof schema>;

type Groups = GroupedConfig<typeof settings>;

/** The configuration in groups, each with the names of its environment variables. Code takes the groups that it needs. */
export interface Config extends Omit<Groups, 'aggregators'> {
  readonly aggregators: AggregatorsConfig;
}

export type AggregatorsConfig = Groups['aggregators'] & {
  /** Every known aggregator, with its settings. */
  readonly aggregators: readonly ConfiguredAggregator[];
};
export type SessionsConfig = Config['sessions'];

/** All variables, for rules across groups. */
type Variables = Values & Pick<AggregatorsConfig, 'aggregators'>;

/** @throws {EnvError} listing every variable that is missing, malformed or unsafe, and every problem of described aggregators. */
export function readConfig(source: EnvSource): Config {
  const { FLOWS_DIR } = readEnv(schema.pick({ FLOWS_DIR: true }), source);
  const { aggregators: known, problems } = readAggregators(FLOWS_DIR);
  if (problems.length > 0) throw new EnvError(problems.map((message) => ({ variable: 'FLOWS_DIR', message })));
  const unchecked = uncheckedSettings(known, source);
  const configured = (values: Values): Variables => ({ ...values, aggregators: configureAggregators(known, values) });
  // The descriptions define further variables.
  const whole = schema.extend(aggregatorShape(known) as object);
  const variables = configured(readEnv(whole, source, [(values) => [...unchecked, ...problemsOf(configured(values))]]));
  const groups = groupConfig(settings, variables);
  return { ...groups, aggregators: { ...groups.aggregators, aggregators: variables.aggregators } };
}

function problemsOf(config: Variables): EnvProblem[] {
  return rules.flatMap((rule) => rule(config));
}

const rules: readonly EnvRule<Variables>[] = [
  embeddedStoresRule,
  databaseRule,
  redisCaRule,
  keysRule,
  codesRule,
  operatorRule,
  simulatorRule,
  unknownAggregatorsRule,
  openEndpointsRule,
  webhooksRule,
  messagesRule,
];

/** Default: one second in production, else 0. */
export function duplicateWindowMs({ DUPLICATE_WINDOW_MS: set, NODE_ENV }: SessionsConfig): number {
  return set ?? (NODE_ENV === 'production' ? 1000 : 0);
}

function keysRule(config: Variables): EnvProblem[] {
  const { PIN_ENCRYPTION_KEY: current, PIN_ENCRYPTION_KEYS_OLD: earlier } = config;
  const problems: EnvProblem[] = [];
  if (current === undefined && config.NODE_ENV === 'production') {
    problems.push({ variable: 'PIN_ENCRYPTION_KEY', message: 'is required in production' });
  }
  for (const key of earlier) {
    const message = keyProblem(() => parseSecretKey(key));
    if (message !== undefined) problems.push({ variable: 'PIN_ENCRYPTION_KEYS_OLD', message });
  }
  if (problems.length > 0 || current === undefined) return problems;
  const message = keyProblem(() => keyringFromSecrets(current, earlier));
  return message === undefined ? [] : [{ variable: 'PIN_ENCRYPTION_KEYS_OLD', message }];
}

/** Codes with too many groups, which every hop would refuse. */
function codesRule({ SERVICE_CODES: codes, SERVICE_CODE_LEVELS: levels }: Variables): EnvProblem[] {
  const problems = codes.map((code) => tooManyGroups(code, levels)).filter((problem) => problem !== undefined);
  return problems.map((message) => ({ variable: 'SERVICE_CODES', message }));
}

function operatorRule(config: Variables): EnvProblem[] {
  const unguarded = config.NODE_ENV === 'production' && config.OPERATOR_ROUTES && config.OPERATOR_TOKEN === undefined;
  const message = 'is required in production while the operator routes are on (OPERATOR_ROUTES=off removes them)';
  return unguarded ? [{ variable: 'OPERATOR_TOKEN', message }] : [];
}

function webhooksRule({ WEBHOOKS, NODE_ENV }: Variables): EnvProblem[] {
  return webhookProblems(WEBHOOKS, NODE_ENV === 'production').map((message) => ({ variable: 'WEBHOOKS', message }));
}

function messagesRule(config: Variables): EnvProblem[] {
  return messagesProblems(config).map((message) => ({ variable: 'MESSAGES', message }));
}

/** A visitor of the simulator can act as any subscriber. */
function simulatorRule(config: Variables): EnvProblem[] {
  const exposed = config.NODE_ENV === 'production' && config.SIMULATOR === true;
  return exposed ? [{ variable: 'SIMULATOR', message: 'must not be on in production' }] : [];
}
