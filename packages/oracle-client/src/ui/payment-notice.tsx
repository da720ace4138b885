import type { ReactElement, ReactNode } from 'react';
import { useWords } from './words/words.js';

interface PaymentNoticeProps {
  readonly claims: readonly string[];
  /** A way to pay. */
  readonly children?: ReactNode;
}

/** What the oracle asks to be paid before it answers. */
export function PaymentNotice({ claims, children }: PaymentNoticeProps): ReactElement {
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
      {children}
    </div>
  );
}
