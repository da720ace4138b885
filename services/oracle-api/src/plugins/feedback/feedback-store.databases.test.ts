import type { SqlDatabase } from '@mlango/service-kit/database';
import { ConversationStore } from '../../store/conversation-store.js';
import type * as schema from '../../store/oracle-schema.js';

import { onDatabases } from '../api/on-databases.fixture.js';
import { feedbackStoreContract } from './feedback-store.contract.js';
import { tables } from './tables.js';

onDatabases(tables, (name, own, db) =>
  feedbackStoreContract(name, () => {
    const conversations = new ConversationStore(db() as unknown as SqlDatabase<typeof schema>);
    return {
      store: own(),
      deleteSession: (...session) => conversations.deleteSession(...session),
      addSession: (ownerDid, sessionId) => conversations.createSession(ownerDid, { sessionId, createdAt: new Date(0) }),
    };
  }),
);
