import { DoorMark } from './door-mark.js';
import { doors } from './doors.js';
import { hrefOf } from './route.js';
import { ThemeSwitch } from './theme-switch.js';

export function Header({ here }: { readonly here: string | undefined }) {
  return (
    <header className="header">
      <a className="brand" href="#/" aria-current={here === undefined ? 'page' : undefined}>
        <DoorMark />
        <span>Mlango</span>
      </a>
      <nav aria-label="Doors">
        <ul>
          {doors.map(({ id, name }) => (
            <li key={id} className={`door-${id}`}>
              <a href={hrefOf(id)} aria-current={here === id ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <a className="account-link" href={hrefOf('account')} aria-current={here === 'account' ? 'page' : undefined}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
          <circle cx="12" cy="8" r="4" />
          <path d="M4 20.5a8 8 0 0 1 16 0" />
        </svg>
        <span>Account</span>
      </a>
      <ThemeSwitch />
    </header>
  );
}
