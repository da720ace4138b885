import { createLogger } from '@mlango/service-kit/logging';
import { readConfigOrExit, startOrExit } from '@mlango/service-kit/process';
import { createOracleApp } from './create-oracle-app.js';

const opened = createOracleApp({ config: { name: 'Mlango' } }).catch((error: unknown) =>
  readConfigOrExit(() => {
    throw error;
  }),
);
const app = await startOrExit(createLogger({ service: 'oracle-api', level: 'fatal' }), opened);
await app.serve();
