import { hrefOf } from './route.js';
import { services } from './services.js';
import { setTheme, type Theme, useTheme } from './theme.js';

const themes: readonly { theme: Theme; label: string }[] = [
  { theme: 'system', label: 'Auto' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
];

function ThemeSwitch() {
  const current = useTheme();
  return (
    <fieldset className="theme-switch">
      <legend className="unseen">Theme</legend>
      {themes.map(({ theme, label }) => (
        <label key={theme}>
          <input type="radio" name="theme" checked={current === theme} onChange={() => setTheme(theme)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function LogoIcon() {
  return (
    <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path d="M5 31V14a11 11 0 0 1 22 0v17z" fill="currentColor" />
      <path d="M9 31V15a7 7 0 0 1 14 0v16z" className="logo-light" />
      <path d="M9 31V15a7 7 0 0 1 9-6.7V29z" fill="currentColor" />
      <circle cx="15.5" cy="20.5" r="1.3" className="logo-light" />
    </svg>
  );
}

export function Header({ here }: { readonly here: string | undefined }) {
  return (
    <header className="header">
      <a className="brand" href="#/" aria-current={here === undefined ? 'page' : undefined}>
        <LogoIcon />
        <span>Mlango</span>
      </a>
      <nav aria-label="Doors">
        <ul>
          {services.map(({ id, name }) => (
            <li key={id} className={`accent-${id}`}>
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
