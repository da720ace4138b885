import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';

/** A time as somebody who glances at it reads it. */
export function sayTime(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  return seconds < 90
    ? `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`
    : `${Math.round(seconds / 60)} min`;
}

export function sayShare(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}

/** The words on a way: how many took it, how long they had looked, and how many were lost after it. */
export function sayWay({ people, medianMs, dropOff }: UssdMappedFlow['ways'][number]): string {
  const lost = dropOff === null || dropOff === 0 ? [] : [`−${sayShare(dropOff)}`];
  return [String(people), sayTime(medianMs), ...lost].join(' · ');
}
