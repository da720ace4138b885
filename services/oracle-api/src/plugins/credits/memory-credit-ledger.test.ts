import { creditLedgerContract } from './credit-ledger.contract.js';
import { MemoryCreditLedger } from './memory-credit-ledger.js';

creditLedgerContract('memory', () => new MemoryCreditLedger());
