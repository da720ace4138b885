import type { LiveAgentError } from './live-agent-error.js';

export type CallKind = 'audio' | 'video';

/** `idle` → `connecting` → `connected` ⇄ `reconnecting` → `ended`; `failed` for a call that could not begin, or was cut off. */
export type LiveCallStatus = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'ended' | 'failed';

/** A participant on the oracle's side. */
export interface LiveParticipant {
  readonly identity: string;
  readonly isSpeaking: boolean;
  /** Media are encrypted with the key of the call. */
  readonly isEncrypted: boolean;
}

/** A call as a page shows it. */
export interface LiveCallSnapshot {
  readonly status: LiveCallStatus;
  readonly callId: string | undefined;
  /** Media of this page is encrypted before it leaves the browser. */
  readonly isEncrypted: boolean;
  readonly isMuted: boolean;
  readonly isCameraOn: boolean;
  /** The other participants. Empty: the oracle has not joined yet. */
  readonly participants: readonly LiveParticipant[];
  /** The browser plays nothing before the first click of the user: call `startAudio` in that click. */
  readonly isAudioBlocked: boolean;
  readonly error: LiveAgentError | undefined;
}

export const idleCall: LiveCallSnapshot = {
  status: 'idle',
  callId: undefined,
  isEncrypted: false,
  isMuted: false,
  isCameraOn: false,
  participants: [],
  isAudioBlocked: false,
  error: undefined,
};
