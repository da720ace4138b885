import { openDatabase } from '@mlango/service-kit/database';
import { createLogger } from '@mlango/service-kit/logging';
import { expect, it } from 'vitest';
import { ConversationStore } from '../store/conversation-store.js';
import { migrationsFolder } from '../store/database.js';
import * as schema from '../store/oracle-schema.js';

import { deleteNewestMessages } from './account-data-store.js';

it('deletes a large history in batches, and no data of other users', async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const { db, close } = await openDatabase({ dataDir: 'memory://', schema, migrationsFolder, logger });
  const store = new ConversationStore(db);
  for (const owner of ['asha', 'bo']) {
    await store.createSession(owner, { sessionId: owner, createdAt: new Date(0) });
    for (let index = 0; index < 23; index++) {
      const message = { messageId: `m${index}`, turnId: 't', type: 'human', content: `${index}` } as const;
      await store.addMessage(owner, owner, { ...message, createdAt: new Date(0) });
    }
  }
  expect([await deleteNewestMessages(db, 'asha', 5), await deleteNewestMessages(db, 'asha', 5)]).toEqual([18, 0]);
  const left = await store.newestMessages('asha', 'asha', 100);
  expect(left.map(({ content }) => content)).toEqual(['0', '1', '2', '3', '4']);
  expect(await store.newestMessages('bo', 'bo', 100)).toHaveLength(23);
  await close();
});
