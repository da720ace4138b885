import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { z } from 'zod';
import type { Turns } from '../../../agent/turns.js';
import { rightsOf } from '../../../identity/route-rights.js';
import type { ConversationStore } from '../../../store/conversation-store.js';
import type { StoredMessage, StoredSession } from '../../../store/sessions.js';
import { openSession } from '../../sessions.js';
import { errorReplies } from '../errors.js';
import { contentOf, messageItemId, outputOf } from './response.js';

interface ConversationDeps {
  readonly conversations: ConversationStore;
  readonly turns: Pick<Turns, 'deleteSession'>;
  readonly sessionsPerUser: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

const tags = ['openai'];
const path = z.object({ conversationId: z.string() });
const conversation = z.object({
  id: z.string().describe('id of the session'),
  object: z.literal('conversation'),
  created_at: z.int(),
  metadata: z.object({}),
});

const item = z.looseObject({ type: z.string(), id: z.string() });

/** Items per page. */
const listed = 100;

/** `/v1/conversations`: sessions. */
export function conversationRoutes(scope: HttpApp, deps: ConversationDeps): void {
  const found = async (ownerDid: string, id: string) => {
    const session = await deps.conversations.findSession(ownerDid, id);
    if (session === undefined) throw notFound(id);
    return session;
  };

  scope.post(
    '/conversations',
    {
      config: rightsOf('POST /v1/conversations'),
      schema: {
        tags,
        operationId: 'createConversation',
        summary: 'Create a session',
        description: 'Send messages with `POST /v1/responses`; `items` are rejected.',
        body: withExample(
          z.looseObject({ items: z.array(z.never('a new conversation has no items')).nullish() }).nullish(),
          {},
        ),
        response: { 200: conversation, ...errorReplies(400, 409, 413, 415) },
      },
    },
    async (request) => shown(await openSession(deps, callerOf(request).did)),
  );

  scope.get(
    '/conversations/:conversationId',
    {
      config: rightsOf('GET /v1/conversations/:conversationId'),
      schema: {
        tags,
        operationId: 'getConversation',
        summary: 'Get a session',
        params: path,
        response: { 200: conversation, ...errorReplies(404) },
      },
    },
    async (request) => shown(await found(callerOf(request).did, request.params.conversationId)),
  );

  scope.delete(
    '/conversations/:conversationId',
    {
      config: rightsOf('DELETE /v1/conversations/:conversationId'),
      schema: {
        tags,
        operationId: 'deleteConversation',
        summary: 'Delete a session with its messages and runs',
        params: path,
        response: {
          200: z.object({ id: z.string(), object: z.literal('conversation.deleted'), deleted: z.literal(true) }),
          ...errorReplies(400, 404, 413, 415),
        },
      },
    },
    async (request) => {
      const { conversationId: id } = request.params;
      if (!(await deps.turns.deleteSession(callerOf(request).did, id))) throw notFound(id);
      return { id, object: 'conversation.deleted' as const, deleted: true as const };
    },
  );

  scope.get(
    '/conversations/:conversationId/items',
    {
      config: rightsOf('GET /v1/conversations/:conversationId/items'),
      schema: {
        tags,
        operationId: 'listConversationItems',
        summary: `List the newest ${listed} messages of a session, newest first`,
        params: path,
        response: {
          200: z.object({
            object: z.literal('list'),
            data: z.array(item),
            first_id: z.string().nullable(),
            last_id: z.string().nullable(),
            has_more: z.literal(false),
          }),
          ...errorReplies(404),
        },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const { sessionId } = await found(did, request.params.conversationId);
      const messages = await deps.conversations.newestMessages(did, sessionId, listed);
      const data = messages.flatMap((message) => itemsOf(sessionId, message)).toReversed();
      const [first_id = null, last_id = null] = [data.at(0)?.id, data.at(-1)?.id];
      return { object: 'list' as const, data, first_id, last_id, has_more: false as const };
    },
  );
}

function itemsOf(sessionId: string, message: StoredMessage): z.output<typeof item>[] {
  if (message.type === 'ai') return outputOf({ sessionId, requestId: message.messageId }, message);
  const content = contentOf(message);
  const id = messageItemId({ sessionId, requestId: message.messageId });
  return [{ id, type: 'message', role: 'user', status: 'completed', content }];
}

function shown({ sessionId, createdAt }: StoredSession) {
  return {
    id: sessionId,
    object: 'conversation' as const,
    created_at: Math.floor(createdAt.getTime() / 1000),
    metadata: {},
  };
}

function notFound(id: string): ServiceError {
  return new ServiceError('not_found', `Conversation with id '${id.slice(0, 200)}' not found.`);
}
