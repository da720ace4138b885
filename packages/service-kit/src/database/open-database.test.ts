import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDatabase } from './database.contract.js';

describeDatabase('the embedded database on disk', { isPersistent: true, shared: false }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mlango-test-data-'));
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
});
