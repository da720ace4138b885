/**
 * A phone number with its middle hidden: `+260971234567` becomes `+26097****567`. Enough is left to tell two
 * subscribers apart in a log; a number too short for that is hidden whole.
 */
export function maskMsisdn(msisdn: string): string {
  const digits = msisdn.replace(/^\+/, '');
  if (digits.length < 9) return '****';
  return `${msisdn.startsWith('+') ? '+' : ''}${digits.slice(0, 5)}****${digits.slice(-3)}`;
}
