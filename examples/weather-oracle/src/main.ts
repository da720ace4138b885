import { runOracleApp } from '@mlango/oracle-api/run-oracle-app';
import { weatherPlugin } from './weather-plugin.js';

await runOracleApp({
  config: { name: 'Weather oracle', description: 'It tells the weather.' },
  plugins: [weatherPlugin],
});
