import { onDatabases } from '../../test/support/on-databases.js';
import { passOnIntents } from '../effects/pass-on.fixture.js';
import { SqlIntentStore } from '../effects/sql-intent-store.js';
import { diallersContract, withinMs } from '../sessions/callers.contract.js';
import { SqlAccountStore } from './sql-account-store.js';
import { sqlCallers } from './sql-callers.js';

onDatabases((name, database) => {
  diallersContract(name, () => {
    const { db } = database();
    return {
      find: sqlCallers(db, withinMs),
      accounts: new SqlAccountStore(db),
      intents: new SqlIntentStore(db),
      pass: passOnIntents(database()),
    };
  });
});
