import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import {
  type FeedbackRecord,
  feedbackBody,
  feedbackLimits,
  feedbackList,
  feedbackPath,
  feedbackRecord,
  feedbackSummary,
  feedbackSummaryQuery,
  feedbackTakenBack,
} from '@mlango/schemas/oracle-feedback';
import { sessionPath } from '@mlango/schemas/oracle-sessions';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { callerOf } from '@mlango/ucan-auth/fastify';
import { rightsOf } from '../../identity/route-rights.js';
import { restrictToOperators } from '../api/operator-routes.js';
import type { Feedback } from './feedback-store.js';
import type { FeedbackBoot } from './tables.js';

const dayMs = 86_400_000;

/** `/sessions/:sessionId/feedback`: the caller's feedback on answers of a session. */
export function feedbackRoutes(app: HttpApp, { own, grants, now }: FeedbackBoot): void {
  const absent = () => new ServiceError('not_found', 'Answer not found');

  app.get(
    '/sessions/:sessionId/feedback',
    {
      config: rightsOf('GET /sessions/:sessionId/feedback'),
      schema: {
        operationId: 'listFeedback',
        summary: 'List the feedback of the caller in a session',
        description: 'The list is empty for a session of another user. An oracle without feedback answers 404.',
        params: sessionPath,
        response: { 200: feedbackList, 400: invalidRequest },
      },
    },
    async (request) => {
      const ratings = await own.ofSession(callerOf(request).did, request.params.sessionId);
      return { feedback: ratings.map(recordOf) };
    },
  );

  app.put(
    '/sessions/:sessionId/feedback/:messageId',
    {
      config: { ...rightsOf('PUT /sessions/:sessionId/feedback/:messageId'), stores: 'feedback' },
      schema: {
        operationId: 'setFeedback',
        summary: 'Set the feedback on an answer',
        description: `Replaces earlier feedback on the answer. Answers 409 if the session has ${feedbackLimits.ofSession} already.`,
        params: feedbackPath,
        body: withExample(feedbackBody, { rating: 'up', reasons: [] }),
        response: {
          200: feedbackRecord,
          400: invalidRequest,
          404: jsonError,
          409: jsonError,
          413: jsonError,
          415: jsonError,
        },
      },
    },
    async (request) => {
      const { params, body } = request;
      const { rating, reasons, comment } = body;
      const { did } = callerOf(request);
      const message = await grants['sessions:read'].of(request).message(params.sessionId, params.messageId);
      if (message?.type !== 'ai') throw absent();
      const commentField = comment === undefined || comment === '' ? {} : { comment };
      const feedback = { ...params, rating, reasons, ...commentField, updatedAt: now() };
      const put = await own.put(did, feedback, feedbackLimits.ofSession);
      // The session was deleted after the check.
      if (put === 'no_session') throw absent();
      if (put === 'full') throw new ServiceError('conflict', 'This session has the maximum number of feedback entries');
      return recordOf(feedback);
    },
  );

  app.delete(
    '/sessions/:sessionId/feedback/:messageId',
    {
      config: rightsOf('DELETE /sessions/:sessionId/feedback/:messageId'),
      schema: {
        operationId: 'deleteFeedback',
        summary: 'Delete the feedback on an answer',
        params: feedbackPath,
        response: { 200: feedbackTakenBack, 400: invalidRequest, 404: jsonError },
      },
    },
    async (request) => {
      const { sessionId, messageId } = request.params;
      const isRemoved = await own.remove(callerOf(request).did, sessionId, messageId);
      if (!isRemoved) throw new ServiceError('not_found', 'Feedback not found');
      return { message: 'Feedback deleted successfully' as const };
    },
  );
}

/** `/feedback`: feedback of all users, for the operator. */
export function operatorRoutes(app: HttpApp, { own, config, now }: FeedbackBoot): void {
  const access = { token: config.FEEDBACK_OPERATOR_TOKEN, open: config.NODE_ENV !== 'production' };
  restrictToOperators(app, access);

  app.get(
    '/feedback',
    {
      schema: {
        operationId: 'listAllFeedback',
        summary: 'List the feedback of all users (operators)',
        description: 'Counts, and the newest comments without their users.',
        querystring: feedbackSummaryQuery,
        response: { 200: feedbackSummary, 400: invalidRequest },
      },
    },
    async (request) => {
      const { days, comments } = request.query;
      const since = new Date(now().getTime() - days * dayMs);
      const counts = await own.count(since, comments);
      const commentRecords = counts.comments.map(({ reasons, updatedAt, ...rest }) => ({
        ...rest,
        reasons: [...reasons],
        updatedAt: updatedAt.toISOString(),
      }));
      return { ...counts, since: since.toISOString(), comments: commentRecords };
    },
  );
}

function recordOf({ sessionId: _session, reasons, updatedAt, ...rest }: Feedback): FeedbackRecord {
  return { ...rest, reasons: [...reasons], updatedAt: updatedAt.toISOString() };
}
