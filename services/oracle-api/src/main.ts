import { runOracleApp } from './run-oracle-app.js';

await runOracleApp({ config: { name: 'Mlango' } });
