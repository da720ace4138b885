import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EndpointOverrides } from '../api/chat-options.js';
import { OracleRequestError } from '../api/requests/request-error.js';
import { recordOf, recordsOf } from '../api/requests/values.js';
import { useOraclesRuntime } from './oracles-context.js';
import { useOracleEndpoints } from './use-oracle-endpoints.js';

/** Feedback on an answer. */
export interface IFeedback {
  readonly rating: 'up' | 'down';
  /** One or more of `incorrect`, `incomplete`, `off_topic`, `unclear`, `harmful`. */
  readonly reasons?: readonly string[];
  /** Up to 1,000 characters, for the operator of the oracle. */
  readonly comment?: string;
}

export interface IAnswerFeedback {
  /** By the ids of the answers. Undefined until it is loaded, and for an oracle without feedback. */
  readonly byMessage: ReadonlyMap<string, IFeedback> | undefined;
  /** Whether the oracle takes feedback is known. */
  readonly isKnown: boolean;
  /** Replaces earlier feedback; undefined removes it. Shown at once. Rejects when the oracle refuses. */
  readonly giveFeedback: (messageId: string, feedback: IFeedback | undefined) => Promise<void>;
}

type FeedbackByMessage = ReadonlyMap<string, IFeedback>;

/** Feedback on the answers of a session. Throws outside of an `OraclesProvider`. */
export function useFeedback(oracleDid: string, sessionId: string, overrides?: EndpointOverrides): IAnswerFeedback {
  const runtime = useOraclesRuntime();
  const { queryClient, userDid } = runtime;
  const { apiUrl } = useOracleEndpoints(oracleDid, overrides);
  const { key, connection, path } = useMemo(
    () => ({
      key: ['oracle-feedback', userDid, oracleDid, apiUrl, sessionId],
      connection: runtime.connect(oracleDid, apiUrl ?? ''),
      path: `/sessions/${sessionId}/feedback`,
    }),
    [runtime, userDid, oracleDid, apiUrl, sessionId],
  );
  const { data } = useQuery<FeedbackByMessage | null>(
    {
      queryKey: key,
      queryFn: async ({ signal }) => {
        // Cached per oracle: an oracle without the route gets no further requests for each session.
        const ofOracle = queryClient.getQueriesData({ queryKey: key.slice(0, -1) });
        if (ofOracle.some(([, known]) => known === null)) return null;
        return connection.json(path, { signal }).then(readFeedback, absent);
      },
      enabled: apiUrl !== undefined && sessionId !== '',
      staleTime: 60_000,
      retry: 1,
    },
    queryClient,
  );
  const giveFeedback = useMemo(
    () => async (messageId: string, feedback: IFeedback | undefined) => {
      const show = (shown: IFeedback | undefined) =>
        queryClient.setQueryData<FeedbackByMessage | null>(
          key,
          (known) => known && withFeedback(known, messageId, shown),
        );
      await queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData<FeedbackByMessage | null>(key)?.get(messageId);
      show(feedback);
      const change =
        feedback === undefined ? ({ method: 'DELETE' } as const) : { method: 'PUT' as const, body: feedback };
      try {
        await connection.json(`${path}/${encodeURIComponent(messageId)}`, change);
      } catch (error) {
        show(before);
        throw error;
      }
    },
    [queryClient, key, connection, path],
  );
  return { byMessage: data ?? undefined, isKnown: data !== undefined, giveFeedback };
}

/** Whether the oracle itself answered 404. A proxy may answer anything. */
function absent(error: unknown): null {
  if (error instanceof OracleRequestError && error.body['statusCode'] === 404) return null;
  throw error;
}

function readFeedback(reply: unknown): FeedbackByMessage {
  return new Map(
    recordsOf(recordOf(reply)['feedback']).flatMap(({ messageId, rating, reasons, comment }) => {
      if (typeof messageId !== 'string' || (rating !== 'up' && rating !== 'down')) return [];
      const noted = typeof comment === 'string' ? { comment } : {};
      const named = Array.isArray(reasons) ? { reasons: reasons.filter((each) => typeof each === 'string') } : {};
      return [[messageId, { rating, ...named, ...noted }] as const];
    }),
  );
}

function withFeedback(known: FeedbackByMessage, messageId: string, feedback: IFeedback | undefined): FeedbackByMessage {
  const others = [...known].filter(([id]) => id !== messageId);
  return new Map(feedback === undefined ? others : [...others, [messageId, feedback]]);
}
