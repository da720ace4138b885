import { onDatabases } from '../../plugin-kit/on-databases.fixture.js';
import { recallStoreContract } from './recall-store.contract.js';
import { tables } from './tables.js';

onDatabases(tables, recallStoreContract);
