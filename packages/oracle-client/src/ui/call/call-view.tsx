import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { EndpointOverrides } from '../../api/chat-options.js';
import { useWords, type Words } from '../../words/words.js';
import { clock, useSeconds } from '../parts/clock.js';
import { IconButton } from '../parts/icon.js';
import type { AgentPlace, LiveAgentEntry, ShownCall } from './live-agent-entry.js';

export interface CallViewProps extends LiveAgentEntry {
  readonly oracleDid: string;
  readonly overrides?: EndpointOverrides | undefined;
  readonly createWorker?: (() => Worker) | undefined;
  /** The session of the call; creates one if there is none. */
  readonly sessionOfCall: () => Promise<string>;
  readonly onClose: () => void;
}

/** A call that starts on mount: its status and controls. */
export function CallView(props: CallViewProps): ReactElement {
  const { useLiveAgent, oracleDid, overrides, createWorker, sessionOfCall, onClose } = props;
  const { call: words, frame, message } = useWords();
  const place: AgentPlace = {
    oracleDid,
    ...(overrides === undefined ? {} : { overrides }),
    ...(createWorker === undefined ? {} : { createWorker }),
  };
  const call = useLiveAgent(place);
  const [hasNoSession, setHasNoSession] = useState(false);
  const { status, error, isMuted, startCall } = call;
  const isOver = hasNoSession || status === 'ended' || status === 'failed';
  const seconds = useSeconds(status === 'connected' || status === 'reconnecting');
  const ending = useRef<HTMLButtonElement>(null);

  async function start(): Promise<void> {
    setHasNoSession(false);
    try {
      await startCall({ sessionId: await sessionOfCall() });
    } catch {
      setHasNoSession(true);
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts once, on mount.
  useEffect(() => {
    ending.current?.focus();
    void start();
  }, []);

  const problem = hasNoSession ? words.problems.refused : error && words.problems[error.code];
  return (
    <fieldset className="mlango-strip" aria-label={words.title}>
      <span role="status">{hasNoSession ? '' : stateOf(call, words)}</span>
      {seconds === 0 || problem !== undefined ? null : (
        <span role="timer" className="mlango-muted">
          {clock(seconds)}
        </span>
      )}
      <span className="mlango-gap mlango-bad" role="alert">
        {problem}
      </span>
      {call.isAudioBlocked && !isOver ? (
        <button type="button" className="mlango-button" onClick={() => void call.startAudio()}>
          {words.turnOnSound}
        </button>
      ) : null}
      {status === 'connected' ? (
        <button type="button" className="mlango-button" onClick={() => void call.setMuted(!isMuted)}>
          {isMuted ? words.unmute : words.mute}
        </button>
      ) : null}
      {isOver ? (
        <>
          <button type="button" className="mlango-button" onClick={() => void start()}>
            {problem === undefined ? words.start : message.retry}
          </button>
          <IconButton icon="close" name={frame.close} onPress={onClose} />
        </>
      ) : (
        <button type="button" ref={ending} className="mlango-button mlango-danger" onClick={() => void call.hangUp()}>
          {words.end}
        </button>
      )}
    </fieldset>
  );
}

function stateOf({ status, isMuted, participants }: ShownCall, words: Words['call']): string {
  switch (status) {
    case 'connected':
      if (participants.length === 0) return words.waiting;
      return isMuted ? words.muted : words.connected;
    case 'ended':
      return words.ended;
    case 'failed':
      return '';
    case 'reconnecting':
      return words.reconnecting;
    default:
      return words.connecting;
  }
}
