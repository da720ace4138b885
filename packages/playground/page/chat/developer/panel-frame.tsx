import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { DeveloperPanelProps } from './developer-panel.js';

const DeveloperPanel = lazy(() =>
  import('./developer-panel.js').then(({ DeveloperPanel: component }) => ({ default: component })),
);

/** The developer panel, loaded on first use: next to the chat, or over it on a small screen. */
export function PanelFrame(props: DeveloperPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The button has moved; the focus follows it.
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
      onClick={() => setIsOpen(!isOpen)}
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
      <Suspense fallback={<p className="quiet small">Loading…</p>}>
        <DeveloperPanel {...props} />
      </Suspense>
    </aside>
  );
}
