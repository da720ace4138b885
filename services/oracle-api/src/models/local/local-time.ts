/** "It is 14:05 on Friday, 20 November 2026 (Africa/Nairobi)." Without a time zone the time is UTC, and says so. */
export function describeNow(now: Date, timezone?: string): string {
  const zone = timezone ?? 'UTC';
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const date = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const parts = Object.fromEntries(date.formatToParts(now).map((part) => [part.type, part.value]));
  const day = `${parts['weekday']}, ${parts['day']} ${parts['month']} ${parts['year']}`;
  const hint = timezone === undefined ? ' Your app did not tell me your time zone.' : '';
  return `It is ${time.format(now)} on ${day} (${zone}).${hint}`;
}
