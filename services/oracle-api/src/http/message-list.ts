import { type MessageRecord, messagePage, messagePageQuery } from '@mlango/schemas/oracle-messages';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import { addressKey, type HttpApp } from '@mlango/service-kit/http-app';
import { admit } from '@mlango/service-kit/shared-pools';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { FastifyRequest } from 'fastify';
import { rightsOf } from '../identity/route-rights.js';
import type { SharedPools } from '../shared-pools.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { StoredMessage, TurnRange } from '../store/sessions.js';
import { errorOfCall } from '../store/sessions.js';
import { errorReplies, refusedField } from './errors.js';

/** `GET /sessions/:sessionId/messages`: pages of turns of a conversation. */
export function messagePageRoutes(app: HttpApp, deps: HistoryDeps): void {
  app.get(
    '/sessions/:sessionId/messages',
    {
      config: rightsOf('GET /sessions/:sessionId/messages'),
      schema: {
        tags: ['messages'],
        operationId: 'listSessionMessages',
        summary: 'List a page of the messages of a session',
        description:
          'The newest turns, or the turns before or after a cursor of another page. ' +
          'A page can have fewer turns than requested if they are long. ' +
          'A turn is a message of the user with its answer, and is never split. The list is empty for a session of another user.',
        params: sessionPath,
        querystring: messagePageQuery,
        response: { 200: messagePage, ...errorReplies(400, 401) },
      },
    },
    async (request) => {
      const { query } = request;
      const page = await readTurns(deps, request, { sessionId: request.params.sessionId, range: query });
      if (page === 'unknown_cursor')
        throw refusedField('querystring', query.before === undefined ? 'after' : 'before', 'unknown cursor');
      const { messages, olderCursor = null, newerCursor = null } = page;
      return {
        messages,
        prevCursor: olderCursor,
        nextCursor: newerCursor,
        hasOlder: olderCursor !== null,
        hasNewer: newerCursor !== null,
      };
    },
  );
}

/** Maximum number of messages in one reply, newest first. */
export const listedMessages = 1000;

interface TurnsToRead {
  readonly sessionId: string;
  readonly range: TurnRange;
}

type Siblings = ReadonlyMap<string, readonly string[]>;

/** A message in a reply. */
function messageReply(message: StoredMessage, siblings: Siblings): MessageRecord {
  return {
    id: message.messageId,
    type: message.type,
    content: message.content,
    toolCalls: message.toolCalls?.map(({ kind: _kind, isOwn: _isOwn, attachments, ...call }) => ({
      ...call,
      attachments: attachments?.map((file) => ({ ...file })),
      args: { ...call.args },
      error: errorOfCall(call),
    })),
    components: message.components?.map(({ args, ...component }) => ({ ...component, args: args && { ...args } })),
    reasoning: message.reasoning,
    status: message.status,
    finishReason: message.finishReason,
    attachments: message.attachments?.map((file) => ({ ...file })),
    siblings: siblings.get(message.messageId)?.slice(),
    isComplete: true,
    isReasoning: false,
    createdAt: message.createdAt.toISOString(),
  };
}

/** Allows one concurrent read of conversations per user. */
export interface HistoryDeps {
  readonly conversations: Pick<ConversationStore, 'pageOfTurns' | 'siblings'>;
  readonly pools: Pick<SharedPools, 'history'>;
}

/**
 * Reads turns of a session of the caller.
 * @throws ServiceError beyond the concurrent reads of the caller, the address or the process
 */
async function readTurns({ conversations, pools }: HistoryDeps, request: FastifyRequest, read: TurnsToRead) {
  const { did } = callerOf(request);
  const permit = await admit(pools.history, { user: did, address: addressKey(request.ip) });
  const [page, siblings] = await Promise.all([
    conversations.pageOfTurns(did, read.sessionId, read.range),
    conversations.siblings(did, read.sessionId),
  ]).finally(() => permit.release());
  if (page === 'unknown_cursor') return page;
  return { ...page, messages: page.messages.map((message) => messageReply(message, siblings)) };
}

/** The newest messages of a session in reply form, oldest first: whole turns, up to the size of a page in bytes. */
export async function listMessages(deps: HistoryDeps, request: FastifyRequest, sessionId: string) {
  const page = await readTurns(deps, request, { sessionId, range: { limit: listedMessages } });
  return page === 'unknown_cursor' ? [] : page.messages.slice(-listedMessages);
}
