import { runOracleApp } from '@mlango/oracle-api/run-oracle-app';

await runOracleApp({ config: { name: 'Guide', description: 'It knows whom to ask.' } });
