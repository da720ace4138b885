import type { CallFailure } from '../../api/call-failure.js';
import type { EndpointOverrides } from '../../api/chat-options.js';

/** The call state that the components use. */
export interface ShownCall {
  readonly status: 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'ended' | 'failed';
  readonly isMuted: boolean;
  readonly participants: readonly unknown[];
  readonly isAudioBlocked: boolean;
  readonly error?: { readonly code: CallFailure } | undefined;
  readonly startCall: (call: { readonly sessionId: string }) => Promise<void>;
  readonly hangUp: () => Promise<void>;
  readonly setMuted: (isMuted: boolean) => Promise<void>;
  readonly startAudio: () => Promise<void>;
}

export interface AgentPlace {
  readonly oracleDid: string;
  readonly overrides?: EndpointOverrides;
  readonly createWorker?: () => Worker;
}

/** The used part of `@mlango/oracle-client/live-agent`, declared here so that pages without calls need no LiveKit types. */
export interface LiveAgentEntry {
  readonly useLiveAgent: (place: AgentPlace) => ShownCall;
}

/** How a page lends its oracle calls. */
export interface CallOptions {
  /** `() => import('@mlango/oracle-client/live-agent')`: called when a call is first started. */
  readonly load: () => Promise<LiveAgentEntry>;
  /** As `useLiveAgent` has it. */
  readonly createWorker?: () => Worker;
}
