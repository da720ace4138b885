import { z } from 'zod';

/** `true` for a name of the IANA time zone database known to this runtime, such as `Africa/Nairobi`. */
export function isTimeZone(name: string): boolean {
  // Offsets such as "+03:00" are accepted by Intl but are not names of zones.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const timeZoneName = z.string().refine(isTimeZone, 'must be an IANA time zone name such as Africa/Nairobi');
