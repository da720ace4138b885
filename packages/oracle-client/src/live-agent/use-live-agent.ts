import type { Room } from 'livekit-client';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { findOracle } from '../api/chain/find-oracle.js';
import type { EndpointOverrides } from '../api/chat-options.js';
import { useOraclesContext, useOraclesRuntime } from '../hooks/oracles-context.js';
import { useLatest } from '../hooks/use-latest.js';
import { useOracleEndpoints } from '../hooks/use-oracle-endpoints.js';
import { type CallPlace, callRequests } from './call-requests.js';
import { bundledWorker, openEncryptedRoom, requireEncryption } from './encrypted-room.js';
import { LiveCall } from './live-call.js';
import { type CallKind, idleCall, type LiveCallSnapshot } from './live-call-snapshot.js';

export interface LiveAgentOptions {
  readonly oracleDid: string;
  /** The session that the call belongs to. */
  readonly sessionId: string;
  readonly overrides?: EndpointOverrides;
  /**
   * Creates the encryption worker, `livekit-client/e2ee-worker`. Default: one for bundlers that follow `new Worker(new URL(…))`
   * into packages, as Vite does.
   */
  readonly createWorker?: () => Worker;
}

export interface ILiveAgent extends LiveCallSnapshot {
  /** Joins the call of the session, or starts one. Never rejects: failures are in `error`, with the status `failed`. */
  readonly startCall: (call?: CallKind | (CallPlace & { readonly kind?: CallKind })) => Promise<void>;
  /** Leaves and ends the call. Never rejects. */
  readonly hangUp: () => Promise<void>;
  readonly setMuted: (isMuted: boolean) => Promise<void>;
  readonly setCamera: (isOn: boolean) => Promise<void>;
  readonly startAudio: () => Promise<void>;
  /** LiveKit's own room, for features beyond this hook, such as video of the oracle. */
  readonly room: Room | undefined;
  /** It is known where the oracle is. */
  readonly isConfigReady: boolean;
}

/**
 * A voice or video call with an oracle that has the plugin `calls`, encrypted from end to end: without encryption in the browser
 * there is no call. Oracle and session may also be set when the call is started. Unmounting the component hangs up. Throws
 * outside of an `OraclesProvider`.
 */
export function useLiveAgent(options: Partial<LiveAgentOptions> = {}): ILiveAgent {
  const { oracleDid = '', sessionId = '', overrides } = options;
  const runtime = useOraclesRuntime();
  const { isReady } = useOracleEndpoints(oracleDid, overrides);
  const { gatewayUrl } = useOraclesContext();
  const latest = useLatest(options);
  const call = useMemo(
    () =>
      new LiveCall({
        requests: async (place) => {
          const at = { oracleDid, sessionId, overrides: latest().overrides, ...place };
          const apiUrl = await findOracle(runtime.queryClient, gatewayUrl, {
            ...at.overrides,
            oracleDid: at.oracleDid,
          });
          if (at.sessionId === '') throw new Error('Name the session of the call: give its `sessionId`');
          return callRequests(runtime.connect(at.oracleDid, apiUrl), at.sessionId);
        },
        requireEncryption,
        openRoom: (e2eeKey) => openEncryptedRoom(e2eeKey, latest().createWorker ?? bundledWorker),
      }),
    [runtime, oracleDid, gatewayUrl, sessionId, latest],
  );
  const snapshot = useSyncExternalStore(call.subscribe, call.snapshot, () => idleCall);
  useEffect(() => () => void call.hangUp(), [call]);
  const actions = useMemo(
    () => ({
      startCall: (options: CallKind | (CallPlace & { readonly kind?: CallKind }) = 'audio') => {
        const { kind = 'audio', ...place } = typeof options === 'string' ? { kind: options } : options;
        return call.start(kind, place);
      },
      hangUp: () => call.hangUp(),
      setMuted: (isMuted: boolean) => call.setMuted(isMuted),
      setCamera: (isOn: boolean) => call.setCamera(isOn),
      startAudio: () => call.startAudio(),
    }),
    [call],
  );
  return { ...snapshot, ...actions, room: call.room, isConfigReady: isReady };
}
