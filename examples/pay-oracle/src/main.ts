import { runOracleApp } from '@mlango/oracle-api/run-oracle-app';
import { payPlugin } from './pay-plugin.js';

await runOracleApp({
  config: { name: 'Pay oracle', description: 'It pays whom you tell it to, once you have allowed it.' },
  plugins: [payPlugin],
});
