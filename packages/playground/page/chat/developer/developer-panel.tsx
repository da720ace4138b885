import { useEffect, useState } from 'react';
import { RunPanel } from './run-panel.js';

const CUT_SECONDS = 5;

/**
 * Cuts the network between this browser and the oracle: the server closes the sockets of streams, requests and WebSockets, also
 * of those opened meanwhile. The chat below is not notified.
 */
export function LineSwitch() {
  const [secondsLeft, setSecondsLeft] = useState(0);
  const [problem, setProblem] = useState('');
  const isCut = secondsLeft > 0;

  useEffect(() => {
    if (!isCut) return undefined;
    const timer = setInterval(() => setSecondsLeft((left) => Math.max(0, left - 1)), 1_000);
    return () => clearInterval(timer);
  }, [isCut]);

  async function cut(): Promise<void> {
    try {
      const response = await fetch('/line/cut', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ forMs: CUT_SECONDS * 1_000 }),
      });
      setProblem(response.ok ? '' : 'The network could not be cut. Try again.');
      if (response.ok) setSecondsLeft(CUT_SECONDS);
    } catch {
      setProblem('The server cannot be reached. Check your connection, then try again.');
    }
  }

  return (
    <span className="row line-switch">
      <button type="button" className="bad" disabled={isCut} onClick={() => void cut()}>
        {isCut ? `Network cut: ${secondsLeft} s` : `Cut the network for ${CUT_SECONDS} s`}
      </button>
      <span role="status" className="small">
        {problem}
      </span>
    </span>
  );
}

export interface DeveloperPanelProps {
  /** Empty for a conversation that was not begun. */
  readonly sessionId: string;
  /** The user's DID. */
  readonly did: string;
}

/** The events behind the chat, and controls for failures. */
export function DeveloperPanel({ sessionId, did }: DeveloperPanelProps) {
  return (
    <>
      <RunPanel key={sessionId} sessionId={sessionId} />
      <section className="stack" aria-labelledby="network-heading">
        <h3 id="network-heading">Network</h3>
        <p className="quiet small">Cuts the connections of this browser to the oracle, as a network failure would.</p>
        <LineSwitch />
      </section>
      <p className="small quiet break">
        You are <span className="mono">{did}</span>: a key that was made in this browser and stays in it.
      </p>
    </>
  );
}
