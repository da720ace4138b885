import { useState } from 'react';

export function CopyButton({ text, children }: { readonly text: string; readonly children: string }) {
  const [outcome, setOutcome] = useState('');
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      setOutcome('The browser blocked copying. Select the text and copy it.');
    }
  }
  return (
    <>
      <button type="button" className="tight" onClick={() => void copy()}>
        {children}
      </button>
      <span role="status" className="small quiet">
        {outcome}
      </span>
    </>
  );
}
