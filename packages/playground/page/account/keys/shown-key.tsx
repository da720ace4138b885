import { useEffect, useRef } from 'react';
import { CopyButton } from '../../shell/copy-button.js';
import type { MadeApiKey } from './api-key.js';

interface ShownKeyProps {
  readonly made: MadeApiKey;
  readonly onDone: () => void;
}

/** A key that was just made: the one time that it is in sight. */
export function ShownKey({ made, onDone }: ShownKeyProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [made.id]);
  return (
    <section className="card stack made-key" aria-labelledby="made-key-heading">
      <h2 id="made-key-heading" ref={heading} tabIndex={-1}>
        Copy “{made.name}” now
      </h2>
      <p>The key is shown only once. Copy it now: the oracle keeps its hash alone.</p>
      <p className="did">
        <code className="break" data-testid="made-key">
          {made.key}
        </code>
        <CopyButton text={made.key}>Copy</CopyButton>
      </p>
      <details>
        <summary>Try it</summary>
        <pre>{`curl -H 'Authorization: Bearer ${made.key}' \\\n  ${window.location.origin}/oracle/sessions`}</pre>
      </details>
      <div className="row">
        <button type="button" onClick={onDone}>
          I have copied it
        </button>
      </div>
    </section>
  );
}
