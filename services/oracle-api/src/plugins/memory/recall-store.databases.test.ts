import { onDatabases } from '../api/on-databases.fixture.js';
import { recallStoreContract } from './recall-store.contract.js';
import { tables } from './tables.js';

onDatabases(tables, recallStoreContract);
