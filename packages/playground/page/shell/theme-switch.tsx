import { setTheme, type Theme, useTheme } from './theme.js';

const themes: readonly { theme: Theme; label: string }[] = [
  { theme: 'system', label: 'Auto' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
];

export function ThemeSwitch() {
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
