import { branchList, selectBranchBody } from '@mlango/schemas/oracle-branches';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { callerOf } from '@mlango/ucan-auth/fastify';
import type { Turns } from '../agent/turns.js';
import { rightsOf } from '../identity/route-rights.js';
import type { ConversationStore } from '../store/conversation-store.js';

import { errorReplies } from './errors.js';

/** Length of the message excerpt that identifies a branch, in characters. */
const shownChars = 200;

const tags = ['messages'];

/** Branches of a conversation, and the selected one. */
export function branchRoutes(
  app: HttpApp,
  deps: { readonly conversations: ConversationStore; readonly turns: Pick<Turns, 'selectBranch'> },
): void {
  const listed = async (ownerDid: string, sessionId: string) => {
    const [session, tips] = await Promise.all([
      deps.conversations.findSession(ownerDid, sessionId),
      deps.conversations.branchTips(ownerDid, sessionId),
    ]);
    const branches = tips.map(({ messageId, content, createdAt, branch }) => ({
      messageId,
      content: content.slice(0, shownChars),
      createdAt: createdAt.toISOString(),
      isSelected: branch?.id === session?.branch?.id,
    }));
    return { branches };
  };

  app.get(
    '/sessions/:sessionId/branches',
    {
      config: rightsOf('GET /sessions/:sessionId/branches'),
      schema: {
        tags,
        operationId: 'listBranches',
        summary: 'List the branches of a conversation',
        description:
          'Editing or regenerating a message starts a branch. The list is empty for a session of another user.',
        params: sessionPath,
        response: { 200: branchList, ...errorReplies(400, 401) },
      },
    },
    (request) => listed(callerOf(request).did, request.params.sessionId),
  );

  app.put(
    '/sessions/:sessionId/branch',
    {
      config: rightsOf('PUT /sessions/:sessionId/branch'),
      schema: {
        tags,
        operationId: 'selectBranch',
        summary: 'Select the branch that contains a message',
        description:
          'Message lists of all protocols then show the messages of this branch, and the next message continues it.',
        params: sessionPath,
        body: selectBranchBody,
        response: { 200: branchList, ...errorReplies(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const { did } = callerOf(request);
      const { sessionId } = request.params;
      const selected = await deps.turns.selectBranch(did, sessionId, request.body.messageId);
      if (selected === undefined) throw new ServiceError('not_found', 'Message not found');
      return listed(did, sessionId);
    },
  );
}
