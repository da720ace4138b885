import { type RequestOptions, useOraclesContext } from '@mlango/oracle-client';
import { useCallback } from 'react';
import { oracleAddress } from '../../chat/oracle-address.js';
import { useSettings } from '../../shell/settings.js';

/** What is not said: a plain question. */
type Method = NonNullable<RequestOptions['method']>;
export type AskOracle = <Reply>(path: string, method?: Method, body?: object) => Promise<Reply>;

/** Asks the oracle of this deployment, as the user of this browser. Rejects with an `OracleRequestError`. */
export function useAskOracle(): AskOracle {
  const { authedRequest } = useOraclesContext();
  const { oracleDid } = useSettings();
  return useCallback(
    (path, method = 'GET', body) =>
      authedRequest(oracleAddress.baseUrl + path, method, body === undefined ? undefined : { body }, oracleDid),
    [authedRequest, oracleDid],
  );
}
