import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';

/** A language by its own name. */
export function nameOfLanguage(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** A time as somebody who glances at it reads it. */
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

/** The words on a way: how many took it, how long they had looked, and how many were lost after it. */
export function edgeLabel({ people, medianMs, dropOff }: UssdMappedFlow['ways'][number]): string {
  const lost = dropOff === null || dropOff === 0 ? [] : [`−${formatShare(dropOff)}`];
  return [String(people), formatTime(medianMs), ...lost].join(' · ');
}
