import { randomBytes } from 'node:crypto';
import type { Keyring } from '@mlango/crypto/keyring';
import type { SqlDatabase } from '@mlango/service-kit/database';
import type { Metrics } from '@mlango/service-kit/metrics';
import { type Allowance, allowance, type RateLimitStore } from '@mlango/service-kit/rate-limit';
import { createUcanAuth, type UcanAuth } from '@mlango/ucan-auth/auth';
import { postgresRevocationStore } from '@mlango/ucan-auth/postgres-revocation-store';
import type { Config } from '../config.js';
import { HttpOracle } from '../connectors/oracle/http-oracle.js';
import { endUnusedLinks, runOracleEffects } from '../connectors/oracle/run-oracle-effects.js';
import { linkCodes, typedCodes } from '../phone-identity/link-codes.js';
import { PhoneIdentities } from '../phone-identity/phone-identities.js';
import { PhoneLinks } from '../phone-identity/phone-links.js';
import { linkRevocations } from '../phone-identity/schema.js';
import { SqlPhoneIdentityStore } from '../phone-identity/sql-phone-identity-store.js';
import { SqlPhoneLinkStore } from '../phone-identity/sql-phone-link-store.js';

/** Calls of the link routes by one address, or one person, in a minute. */
const linkCalls = { max: 20, windowMs: 60_000 };

/** What the routes that link phones need. */
export interface PhoneLinkDeps {
  readonly links: PhoneLinks;
  readonly auth: Pick<UcanAuth, 'request' | 'revoke'>;
  /** Limits the codes that an address, and a person, may try or create. */
  readonly tries: Allowance;
}

export interface OracleParts {
  readonly keyring: Keyring;
  readonly db: SqlDatabase<Record<string, unknown>>;
  readonly counts: RateLimitStore;
  readonly metrics: Metrics;
  /** Notifies a phone of a new link. */
  readonly notify: (phone: string) => Promise<void>;
}

/** The identities of phones, for the service and its CLI. */
export function phoneIdentitiesOf(config: Config, keyring: Keyring, db: OracleParts['db']) {
  const store = new SqlPhoneIdentityStore(db);
  return {
    store,
    identities: new PhoneIdentities({ store, keyring, oracleDid: config.connectors.ORACLE_DID, randomBytes }),
  };
}

/** Opens the client of the oracle, and the links between phones and persons. */
export function openOracle(url: string, config: Config, { keyring, db, counts, metrics, notify }: OracleParts) {
  const questions = metrics.counter({
    name: 'ussd_oracle_questions_total',
    help: 'Questions to the oracle by result: answered, limited, refused, unanswered.',
    labelNames: ['result'],
  });
  const oracle = new HttpOracle(url);
  const { store, identities } = phoneIdentitiesOf(config, keyring, db);
  const linkStore = new SqlPhoneLinkStore(db);
  const newPhonesPerDay = { max: config.connectors.ORACLE_QUESTIONS_OF_NEW_PHONES_PER_DAY, windowMs: 86_400_000 };
  const effects = runOracleEffects({
    oracle,
    identities,
    store,
    links: linkStore,
    questionsPerDay: config.connectors.ORACLE_QUESTIONS_PER_DAY,
    newPhones: allowance({ store: counts, name: 'questions-of-new-phones', ...newPhonesPerDay }),
    onQuestionEnded: (result) => questions.inc({ result }),
  });
  const tries = allowance({ store: counts, name: 'typed-codes', ...typedCodes });
  const links = new PhoneLinks({ store: linkStore, identities, codes: linkCodes(keyring), tries, randomBytes, notify });
  const linking: PhoneLinkDeps = {
    links,
    auth: createUcanAuth({
      audiences: [links.audience],
      allowDelegationAuth: false,
      revocations: postgresRevocationStore(db, { table: linkRevocations }),
      revoking: {
        ofAddress: allowance({ store: counts, name: 'revocations', ...linkCalls }),
        ofIssuer: allowance({ store: counts, name: 'revocations-by', ...linkCalls }),
      },
    }),
    tries: allowance({ store: counts, name: 'links', ...linkCalls }),
  };
  const purges = [
    (limit: number) => linkStore.purgeCodes(limit),
    (limit: number) => linkStore.purgeDelegations(limit),
    // Last, since it needs the oracle.
    (limit: number) => endUnusedLinks({ oracle, identities, store, links: linkStore }, limit),
  ];
  return { effects, checks: links.checks, linking, purges, close: () => oracle.close() };
}
