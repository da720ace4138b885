/** The problem of an invalid time. */
export const WANTS_TIME = 'must be a time such as 2021-01-01T02:00:00Z';
/** The problem of a text for which `isUnrealTime` is true. */
export const UNREAL_TIME = 'is a time that does not exist';

const TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](\d{2}):(\d{2}))$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a text in the form of RFC 3339 names a time that does not exist, such as the 30th of February or 24 o'clock: `Date`
 * converts some of them to another time. False for a text in another form.
 */
export function isUnrealTime(text: string): boolean {
  const [, ...parts] = TIME.exec(text) ?? [];
  if (parts.length === 0) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = parts.map(
    (part) => Number(part ?? 0),
  );
  const isClock = hour < 24 && minute < 60 && second < 60 && offsetHour < 24 && offsetMinute < 60;
  return !isClock || day < 1 || day > daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}
