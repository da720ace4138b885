import { randomBytes } from 'node:crypto';
import type { Keyring } from '@mlango/crypto/keyring';
import type { SqlDatabase } from '@mlango/service-kit/database';
import type { Metrics } from '@mlango/service-kit/metrics';
import type { Config } from '../config.js';
import { HttpOracle } from '../connectors/oracle/http-oracle.js';
import { runOracleActs } from '../connectors/oracle/run-oracle-acts.js';
import { PhoneIdentities } from '../identities/phone-identities.js';
import { SqlPhoneIdentityStore } from '../identities/sql-phone-identity-store.js';

/** The oracle that phones ask; nothing where none is named. */
export function openOracle(
  config: Config,
  keyring: Keyring,
  db: SqlDatabase<Record<string, unknown>>,
  metrics: Metrics,
) {
  if (config.ORACLE_URL === undefined) return { acts: {}, close: async () => {} };
  const asked = metrics.counter({
    name: 'ussd_oracle_questions_total',
    help: 'Questions to the oracle by what they came to: answered, limited, refused, unanswered',
    labelNames: ['result'],
  });
  const oracle = new HttpOracle(config.ORACLE_URL);
  const store = new SqlPhoneIdentityStore(db);
  const identities = new PhoneIdentities({ store, keyring, oracleDid: config.ORACLE_DID, randomBytes });
  const acts = runOracleActs({
    ...{ oracle, identities, store, questionsPerDay: config.ORACLE_QUESTIONS_PER_DAY },
    onAsked: (result) => asked.inc({ result }),
  });
  return { acts, close: () => oracle.close() };
}
