/** A sum in its smallest unit, as digits, with the point before so many of them. */
export function withPoint(minor: string, decimals: number): string {
  if (decimals === 0) return minor;
  const digits = minor.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
