import { LineSwitch } from './line-switch.js';
import { RunPanel } from './run-panel.js';

export interface DeveloperPanelProps {
  /** Empty for a conversation that was not begun. */
  readonly sessionId: string;
  /** Whose chat it is. */
  readonly did: string;
}

/** What goes on behind the chat, and ways to disturb it. */
export function DeveloperPanel({ sessionId, did }: DeveloperPanelProps) {
  return (
    <>
      <RunPanel key={sessionId} sessionId={sessionId} />
      <section className="stack" aria-labelledby="network-heading">
        <h3 id="network-heading">Network</h3>
        <p className="quiet small">Cuts the connections of this browser to the oracle, as a lost network would.</p>
        <LineSwitch />
      </section>
      <p className="small quiet break">
        You are <span className="mono">{did}</span>: a key that was made in this browser and stays in it.
      </p>
    </>
  );
}
