/** Days of the week, as named in flows and by `Intl`. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Times at which an option can be chosen. A period that ends before it begins ends on the next day. */
export interface OpeningHours {
  /** `HH:MM`, inclusive. */
  readonly from: string;
  /** `HH:MM`, exclusive. */
  readonly to: string;
  /** IANA time zone, such as `Africa/Nairobi`. */
  readonly zone: string;
  /** Days on which a period begins; every day by default. */
  readonly days?: readonly Weekday[] | undefined;
}

/** Text shown if an option is chosen outside its hours. A flow overrides it in `texts/`. */
export const outsideHoursKey = 'closedNow';

const defaultTexts: Readonly<Record<string, string>> = {
  en: 'Closed now. Open {opensAt} to {closesAt}.',
  fr: 'Fermé. Ouvert de {opensAt} à {closesAt}.',
  sw: 'Imefungwa. Saa za huduma {opensAt} hadi {closesAt}.',
};

/** @param language of a flow, such as `pt-MZ`; English if the language has no default text. */
export function defaultHoursText(language: string): string {
  return defaultTexts[language.split('-')[0] ?? ''] ?? defaultTexts['en'] ?? '';
}

/** Facts that `closedNow` can name. */
export function hoursFacts({ from, to }: Pick<OpeningHours, 'from' | 'to'>): Readonly<Record<string, string>> {
  return { opensAt: from, closesAt: to };
}

/** Whether an option can be chosen at a time: checked when it is chosen (`apply-input.ts`), not when it is shown. */
export function isOpenAt({ from, to, zone, days = weekdays }: OpeningHours, nowMs: number): boolean {
  const { day, time } = localTime(zone, nowMs);
  const today = days.includes(day);
  if (from < to) return today && time >= from && time < to;
  const yesterday = weekdays[(weekdays.indexOf(day) + 6) % 7] ?? day;
  return (today && time >= from) || (days.includes(yesterday) && time < to);
}

/** Format of the hours on the map of a flow: `08:00-17:00 Africa/Nairobi Mon Tue`. */
export function printHours({ from, to, zone, days = [] }: OpeningHours): string {
  return [`${from}-${to}`, zone, ...days].join(' ');
}

/** Whether `Intl` supports a time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A format costs far more to create than to use, and flows use few zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(zone: string, nowMs: number): { readonly day: Weekday; readonly time: string } {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  return { day: parts.get('weekday') as Weekday, time: `${parts.get('hour')}:${parts.get('minute')}` };
}
