import type { ReactNode } from 'react';
import type { doors } from '../shell/doors.js';
import { hrefOf } from '../shell/route.js';

interface DoorwayProps {
  readonly door: (typeof doors)[number];
  /** Undefined until that is known. */
  readonly isOpen: boolean | undefined;
  /** What is alive behind it. */
  readonly children: ReactNode;
}

/** One door from outside: what it is, and a glimpse of what is behind it. */
export function Doorway({ door: { id, name, title, says, invites, start }, isOpen, children }: DoorwayProps) {
  return (
    <li className={`doorway door-${id}`}>
      <p className="sign">{name}</p>
      <h2>{title}</h2>
      <p className="quiet says">{says}</p>
      <div className="glimpse">
        {isOpen === true ? children : null}
        {isOpen === false ? (
          <div className="shut" role="status">
            <p>
              <strong>Not available:</strong> the service does not answer.
            </p>
            <p className="small quiet">
              Start all services with <code>npm start</code>, or this one with <code className="break">{start}</code>.
              The page tries again every few seconds.
            </p>
          </div>
        ) : null}
      </div>
      <a className="button invites" href={hrefOf(id)}>
        {invites} <span aria-hidden="true">→</span>
      </a>
    </li>
  );
}
