import { useEffect, useRef } from 'react';
import { LineSwitch } from './line-switch.js';

interface DeveloperPanelProps {
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** Whose chat it is. */
  readonly did: string;
}

/** What goes on behind the chat, and ways to disturb it: beside it, or over it on a small screen. */
export function DeveloperPanel({ isOpen, onToggle, did }: DeveloperPanelProps) {
  const toggle = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The button stands elsewhere in the page now, and whoever pressed it goes on from there.
    if (wasOpen.current !== isOpen) toggle.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const name = isOpen ? 'Close the developer panel' : 'Developer panel';
  const button = (
    <button
      ref={toggle}
      type="button"
      className="plain developer-toggle"
      aria-expanded={isOpen}
      aria-label={name}
      title={name}
      onClick={() => onToggle(!isOpen)}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d={isOpen ? 'm6 6 12 12M18 6 6 18' : 'm8 7-5 5 5 5m8-10 5 5-5 5M13.5 5l-3 14'} />
      </svg>
    </button>
  );
  if (!isOpen) return button;
  return (
    <aside className="developer-panel stack" aria-labelledby="developer-heading">
      <div className="row spread">
        <h2 id="developer-heading">Developer panel</h2>
        {button}
      </div>
      <section className="stack" aria-labelledby="network-heading">
        <h3 id="network-heading">Network</h3>
        <p className="quiet small">Tears the connections of this browser to the oracle. The chat is told nothing.</p>
        <LineSwitch />
      </section>
      <p className="small quiet break">
        You are <span className="mono">{did}</span>: a key that was made in this browser, and stays here.
      </p>
    </aside>
  );
}
