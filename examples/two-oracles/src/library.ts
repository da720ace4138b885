import { runOracleApp } from '@mlango/oracle-api/run-oracle-app';
import { libraryPlugin } from './library-plugin.js';

await runOracleApp({
  config: { name: 'Library', description: 'It lends books.' },
  plugins: [libraryPlugin],
});
