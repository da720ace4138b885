import type { ReactElement } from 'react';
import { useWords } from './words/words.js';

/** What the oracle asks to be paid before it answers. */
export function PaymentNotice({ claims }: { readonly claims: readonly string[] }): ReactElement {
  const words = useWords().payment;
  return (
    <div className="mlango-notice" role="alert">
      <p>
        <strong>{words.title}</strong>
      </p>
      <p>{words.body}</p>
      <ul>
        {claims.map((claim) => (
          <li key={claim}>
            <code>{claim}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
