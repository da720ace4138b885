import { type FormEvent, useState } from 'react';
import { saveFile } from '../save-file.js';
import type { Simulator } from '../wire/simulator.js';
import type { Handsets } from './use-handsets.js';

/** Records the session of a phone and saves it as a test of the flow. */
export function Recorder({ handsets, simulator }: { readonly handsets: Handsets; readonly simulator: Simulator }) {
  const [title, setTitle] = useState('');
  const [notice, setNotice] = useState('');
  const { recorded, session, number: phoneNumber, lastCode: serviceCode } = handsets.current;

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const named = title.trim() || 'A dialogue';
    simulator.writeTranscript({ title: named, phoneNumber, serviceCode, exchanges: recorded ?? [] }).then(
      ({ text, says: reason }) => {
        if (text !== undefined) saveFile(text, 'text/plain', `${fileName(named)}.txt`);
        setNotice(
          text === undefined
            ? `This is not a valid test: ${reason}`
            : 'Saved. Put the file into transcripts/ of the flow; npm run -s ussd -- test DIR runs it.',
        );
      },
      () => setNotice('The gateway could not save the test. Try again.'),
    );
  }

  return (
    <section className="card stack" aria-labelledby="recorder-heading">
      <h2 id="recorder-heading">Record a test</h2>
      <button
        type="button"
        aria-pressed={recorded !== undefined}
        disabled={recorded === undefined && session !== undefined}
        onClick={() => {
          setNotice('');
          handsets.record(recorded === undefined);
        }}
      >
        {recorded === undefined ? 'Record from the next dial' : 'Stop recording'}
      </button>
      {recorded === undefined ? null : (
        <form className="stack" onSubmit={onSubmit}>
          <p className="small">
            {recorded.length === 1 ? '1 screen' : `${recorded.length} screens`} recorded. PINs and Customer IDs are left
            out.
          </p>
          <label className="field">
            Title
            <input value={title} maxLength={100} onChange={({ target }) => setTitle(target.value)} />
          </label>
          <button type="submit" disabled={recorded.length === 0}>
            Save as a test
          </button>
        </form>
      )}
      <p role="status" className="small">
        {notice}
      </p>
    </section>
  );
}

function fileName(title: string): string {
  return (title.toLowerCase().match(/[a-z0-9]+/g) ?? ['dialogue']).join('-');
}
