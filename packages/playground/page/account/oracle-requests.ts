import { OracleRequestError, type RequestOptions, useOraclesContext } from '@mlango/oracle-client';
import { useCallback, useEffect, useState } from 'react';
import { oracleAddress } from '../chat/oracle-address.js';
import { useSettings } from '../shell/settings.js';

/** Downloads a file that the oracle creates for the user of this browser. Rejects with an `OracleRequestError`. */
export function useDownload(): (path: string) => Promise<Blob> {
  const { getInvocation } = useOraclesContext();
  const { oracleDid } = useSettings();
  return useCallback(
    async (path) => {
      const headers = { authorization: `Bearer ${await getInvocation(oracleDid)}`, 'x-auth-type': 'ucan' };
      const reply = await fetch(oracleAddress.baseUrl + path, { headers });
      if (reply.ok) return reply.blob();
      throw new OracleRequestError(reply.status, (await reply.json().catch(() => ({}))) as Record<string, unknown>);
    },
    [getInvocation, oracleDid],
  );
}

export interface Attempt {
  /** Message about the last attempt. */
  readonly outcome: { readonly text: string; readonly isBad: boolean } | undefined;
  readonly isBusy: boolean;
  /** Runs an action and reports its result or error as a message. */
  readonly attempt: (work: () => Promise<string>) => Promise<void>;
}

/** State of a user action: running or not, and its result. */
export function useAttempt(): Attempt {
  const [outcome, setOutcome] = useState<Attempt['outcome']>();
  const [isBusy, setIsBusy] = useState(false);
  async function attempt(work: () => Promise<string>): Promise<void> {
    setIsBusy(true);
    try {
      setOutcome({ text: await work(), isBad: false });
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : 'It did not work.', isBad: true });
    }
    setIsBusy(false);
  }
  return { outcome, isBusy, attempt };
}

/** Options of a GET request. */
type Method = NonNullable<RequestOptions['method']>;
export type OracleRequest = <Reply>(path: string, method?: Method, body?: object) => Promise<Reply>;

/** Requests the oracle of this deployment as the user of this browser. Rejects with an `OracleRequestError`. */
export function useOracleRequest(): OracleRequest {
  const { authedRequest } = useOraclesContext();
  const { oracleDid } = useSettings();
  return useCallback(
    (path, method = 'GET', body) =>
      authedRequest(oracleAddress.baseUrl + path, method, body === undefined ? undefined : { body }, oracleDid),
    [authedRequest, oracleDid],
  );
}

export interface OracleQuery<Reply> {
  /** The last answer, until the next one arrives. */
  readonly reply: Reply | undefined;
  readonly error: unknown;
  readonly retry: () => void;
}

/** The response of a path of the oracle. */
export function useOracleQuery<Reply>(path: string): OracleQuery<Reply> {
  const request = useOracleRequest();
  const [result, setResult] = useState<{ readonly reply?: Reply; readonly error?: unknown }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isLeft = false;
    request<Reply>(path).then(
      (reply) => isLeft || setResult({ reply }),
      (error: unknown) => isLeft || setResult((last) => ({ ...last, error })),
    );
    return () => {
      isLeft = true;
    };
  }, [request, path, round]);
  const retry = useCallback(() => setRound((count) => count + 1), []);
  return { reply: result.reply, error: result.error, retry };
}
