import { onDatabases } from '../api/on-databases.fixture.js';
import { creditLedgerContract } from './credit-ledger.contract.js';
import { tables } from './tables.js';

onDatabases(tables, creditLedgerContract);
