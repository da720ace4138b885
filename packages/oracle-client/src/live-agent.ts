'use client';

// Calls with an oracle. Apart from the main entry, so that pages without calls carry no LiveKit.
export { LiveAgentError } from './live-agent/live-agent-error.js';
export type { CallKind, LiveCallSnapshot, LiveCallStatus, LiveParticipant } from './live-agent/live-call-snapshot.js';
export { type ILiveAgent, type LiveAgentOptions, useLiveAgent } from './live-agent/use-live-agent.js';
export type { CallFailure } from './ui/call/call-failure.js';
