/** A decimal as the chain writes it: times 10^18, without a point. The text has at most 18 digits after its point. */
export function decimal(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  return String(BigInt(whole + fraction.padEnd(18, '0')));
}
