import type { PluginBoot } from '../api/plugin.js';
import type { PluginTables } from '../api/plugin-storage.js';
import type { CreditLedger } from './credit-ledger.js';
import { migrations } from './migrations.js';
import type { CreditSettings } from './settings.js';
import { sqlCreditLedger } from './sql-credit-ledger.js';

/** Where credits are kept. */
export const tables: PluginTables<CreditLedger> = {
  names: ['credit_accounts', 'credit_claims', 'credit_holds', 'credit_top_ups'],
  migrations,
  open: sqlCreditLedger,
};

export type CreditBoot = PluginBoot<CreditSettings, CreditLedger>;
