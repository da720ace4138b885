/** The name of a language in that language. */
export function nameOfLanguage(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** A duration in milliseconds, seconds or minutes, rounded. */
export function formatTime(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return seconds < 90
    ? `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`
    : `${Math.round(seconds / 60)} min`;
}

export function formatShare(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}

/** A number with its noun: 1 visit, 2 visits. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
