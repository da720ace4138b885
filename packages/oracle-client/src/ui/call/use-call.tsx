import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { EndpointOverrides } from '../../api/chat-options.js';
import { useOraclesRuntime } from '../../hooks/oracles-context.js';
import { useOracleEndpoints } from '../../hooks/use-oracle-endpoints.js';
import type { IOracleSessions } from '../../hooks/use-oracle-sessions.js';
import { useWords } from '../../words/words.js';
import { IconButton } from '../parts/icon.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { CallViewProps } from './call-view.js';
import type { CallOptions } from './live-agent-entry.js';

interface CallPlace {
  readonly oracleDid: string;
  readonly overrides?: EndpointOverrides;
  readonly sessionId: string;
  readonly sessions: Pick<IOracleSessions, 'createSession'>;
  readonly select: (sessionId: string) => void;
}

/**
 * The button that starts a call, and the call: it continues while its user looks into other conversations. Null if calls are not
 * available.
 */
export function useCall(
  calls: CallOptions | undefined,
  { oracleDid, overrides, sessionId, sessions, select }: CallPlace,
): { readonly button: ReactElement | null; readonly strip: ReactElement | null } {
  const words = useWords().call;
  const hasCalls = useHasCalls(oracleDid, overrides, calls !== undefined);
  const [isOpen, setIsOpen] = useState(false);
  if (calls === undefined || !hasCalls) return { button: null, strip: null };

  async function sessionOfCall(): Promise<string> {
    if (sessionId !== '') return sessionId;
    const created = await sessions.createSession();
    select(created.sessionId);
    return created.sessionId;
  }

  const place = { oracleDid, overrides, calls, sessionOfCall };
  return {
    button: <IconButton icon="phone" name={words.start} isDisabled={isOpen} onPress={() => setIsOpen(true)} />,
    strip: isOpen ? <CallStrip {...place} onClose={() => setIsOpen(false)} /> : null,
  };
}

interface CallStripProps extends Omit<CallViewProps, 'useLiveAgent' | 'createWorker'> {
  readonly calls: CallOptions;
}

/** A call strip; loads the call view first. */
function CallStrip({ calls, ...props }: CallStripProps): ReactElement {
  const words = useWords();
  const loaded = useLoaded(() => Promise.all([import('./call-view.js'), calls.load()]));
  if (loaded !== undefined && loaded !== 'failed') {
    const [{ CallView }, { useLiveAgent }] = loaded;
    return <CallView {...props} useLiveAgent={useLiveAgent} createWorker={calls.createWorker} />;
  }
  return (
    <div className="mlango-strip">
      <span role={loaded === undefined ? 'status' : 'alert'} className="mlango-gap">
        {loaded === undefined ? words.call.connecting : words.call.problems.refused}
      </span>
      <IconButton icon="close" name={words.frame.close} onPress={props.onClose} />
    </div>
  );
}

/** Whether an oracle has the plugin `calls`; requested only if the page offers calls. */
function useHasCalls(oracleDid: string, overrides: EndpointOverrides | undefined, isOffered: boolean): boolean {
  const { queryClient, connect, userDid } = useOraclesRuntime();
  const { apiUrl } = useOracleEndpoints(oracleDid, overrides);
  const { isSuccess } = useQuery(
    {
      queryKey: ['oracle-calls', userDid, oracleDid, apiUrl],
      queryFn: ({ signal }) => connect(oracleDid, apiUrl ?? '').json('/calls?limit=1', { signal }),
      enabled: isOffered && apiUrl !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    queryClient,
  );
  return isSuccess;
}
