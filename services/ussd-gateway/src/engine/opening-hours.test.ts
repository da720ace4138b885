import { describe, expect, it } from 'vitest';
import { isOpenAt, type OpeningHours } from './opening-hours.js';

const at = (time: string) => Date.parse(time);
const office: OpeningHours = { from: '08:00', to: '17:00', zone: 'Africa/Nairobi', days: ['Mon', 'Tue'] };
const night: OpeningHours = { from: '22:00', to: '06:00', zone: 'Africa/Nairobi', days: ['Fri'] };

describe('opening hours', () => {
  it.each([
    ['the first minute, in the zone of the hours', office, '2026-01-05T05:00:00Z', true],
    ['the minute before', office, '2026-01-05T04:59:59Z', false],
    ['the last minute', office, '2026-01-05T13:59:59Z', true],
    ['the minute of closing', office, '2026-01-05T14:00:00Z', false],
    ['a day that is not listed', office, '2026-01-07T09:00:00Z', false],
    ['an evening before midnight', night, '2026-01-09T22:30:00+03:00', true],
    ['the morning after it', night, '2026-01-10T05:59:00+03:00', true],
    ['the evening after it', night, '2026-01-10T22:30:00+03:00', false],
    ['the morning of the day itself', night, '2026-01-09T05:00:00+03:00', false],
    ['midnight', { from: '00:00', to: '01:00', zone: 'UTC' }, '2026-01-10T00:00:00Z', true],
  ] as const)('at %s', (_, hours, time, isOpen) => expect(isOpenAt(hours, at(time))).toBe(isOpen));

  it('follow the clock changes of their zone', () => {
    const morning: OpeningHours = { from: '08:00', to: '09:00', zone: 'Europe/Paris' };
    expect(isOpenAt(morning, at('2026-01-15T07:30:00Z'))).toBe(true);
    expect(isOpenAt(morning, at('2026-07-15T06:30:00Z'))).toBe(true);
  });
});
