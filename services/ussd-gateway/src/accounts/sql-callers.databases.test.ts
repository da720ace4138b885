import { onDatabases } from '../../test/support/on-databases.js';
import { passOnIntents } from '../effects/pass-on.fixture.js';
import { SqlIntentStore } from '../effects/sql-intent-store.js';
import { callersContract, withinMs } from '../sessions/callers.contract.js';
import { SqlAccountStore } from './sql-account-store.js';
import { sqlCallers } from './sql-callers.js';

onDatabases((name, database) => {
  callersContract(name, () => {
    const { db } = database();
    return {
      find: sqlCallers(db, withinMs),
      accounts: new SqlAccountStore(db),
      intents: new SqlIntentStore(db),
      pass: passOnIntents(database()),
    };
  });
});
