import { type FormEvent, useId, useState } from 'react';
import type { Handsets } from './use-handsets.js';

const e164 = /^\+[1-9]\d{6,14}$/;

/** Selects the phone. A session on another phone stays open. */
export function NumberPicker({ handsets }: { readonly handsets: Handsets }) {
  const [other, setOther] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const id = useId();

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const number = other.replace(/[\s()-]/g, '');
    setIsWrong(!e164.test(number));
    if (!e164.test(number)) return;
    handsets.choose(number);
    setOther('');
  }

  return (
    <section className="card stack" aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>Phone numbers</h2>
      <fieldset className="numbers">
        <legend className="unseen">Phone numbers</legend>
        {handsets.all.map(({ number, phase }) => (
          <label key={number} className="number">
            <input
              type="radio"
              name={id}
              checked={handsets.current.number === number}
              onChange={() => handsets.choose(number)}
            />
            <span className="mono">{number}</span>
            {phase === 'open' ? <span className="badge accent">in session</span> : null}
          </label>
        ))}
      </fieldset>
      <form className="field" onSubmit={onSubmit}>
        <label htmlFor={id}>Another number</label>
        <div className="joined">
          <input
            id={id}
            type="tel"
            inputMode="tel"
            placeholder="+254 712 345 678"
            value={other}
            aria-invalid={isWrong}
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => setOther(target.value)}
          />
          <button type="submit">Use</button>
        </div>
        <span id={`${id}-hint`} className="hint" role={isWrong ? 'alert' : undefined}>
          {isWrong ? 'Not a phone number. Enter a plus, then 7 to 15 digits.' : 'International form, with a plus.'}
        </span>
      </form>
    </section>
  );
}
