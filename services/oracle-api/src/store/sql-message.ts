import { getTableColumns } from 'drizzle-orm';
import { messages } from './schema.js';

const { sessionId: _session, ownerDid: _owner, position: _position, ...columns } = getTableColumns(messages);

/** What is read of a message. */
export const messageColumns = columns;
