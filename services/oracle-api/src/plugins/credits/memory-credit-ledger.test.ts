import { creditLedgerContract } from './credit-ledger.contract.js';
import { MemoryCreditLedger } from './memory-credit-ledger.fixture.js';

creditLedgerContract('memory', () => new MemoryCreditLedger());
