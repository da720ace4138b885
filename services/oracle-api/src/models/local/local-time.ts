/** "It is 14:05 on Friday, 20 November 2026 (Africa/Nairobi)." Without a time zone the time is UTC, and says so. */
export function describeNow(now: Date, timezone?: string): string {
  const zone = timezone ?? 'UTC';
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  });
  const { hour, minute, weekday, day, month, year } = Object.fromEntries(
    format.formatToParts(now).map(({ type, value }) => [type, value]),
  );
  const hint = timezone === undefined ? ' Your app did not tell me your time zone.' : '';
  return `It is ${hour}:${minute} on ${weekday}, ${day} ${month} ${year} (${zone}).${hint}`;
}
