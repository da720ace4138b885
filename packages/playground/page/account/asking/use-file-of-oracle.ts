import { OracleRequestError, useOraclesContext } from '@mlango/oracle-client';
import { useCallback } from 'react';
import { oracleAddress } from '../../chat/oracle-address.js';
import { useSettings } from '../../shell/settings.js';

/** Reads a file that the oracle makes for the user of this browser. Rejects with an `OracleRequestError`. */
export function useFileOfOracle(): (path: string) => Promise<Blob> {
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
