'use client';

export type { CallFailure } from './api/call-failure.js';
// Calls with an oracle. Apart from the main entry, so that pages without calls carry no LiveKit.
export { LiveAgentError } from './live-agent/live-agent-error.js';
export type { CallKind, LiveCallSnapshot, LiveCallStatus, LiveParticipant } from './live-agent/live-call-snapshot.js';
export { type ILiveAgent, type LiveAgentOptions, useLiveAgent } from './live-agent/use-live-agent.js';
