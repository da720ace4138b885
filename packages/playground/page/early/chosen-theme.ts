/** Applies the theme selected in this browser before the first paint, so that no other one flashes. */
export function applyTheme(): void {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  } catch {
    // Storage is shut: the system's theme it is.
  }
}
