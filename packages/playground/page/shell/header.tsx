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
      <ThemeSwitch />
    </header>
  );
}
