const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** A time of the wire as a day, as people say it. Pure. */
export function saidDay(iso: string): string {
  return day.format(new Date(iso));
}
