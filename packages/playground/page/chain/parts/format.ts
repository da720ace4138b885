/** A day of the chain, in the reader's language. Undefined for none. */
export function dayOf(timestamp: string | null | undefined): string | undefined {
  if (timestamp === null || timestamp === undefined || timestamp === '') return undefined;
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** A moment of the chain to the second, in UTC. Undefined for none. */
export function momentOf(timestamp: string | null | undefined): string | undefined {
  const date = new Date(timestamp ?? '');
  if (Number.isNaN(date.getTime())) return undefined;
  return `${dayOf(timestamp)}, ${date.toISOString().slice(11, 19)} UTC`;
}

export interface Coin {
  readonly denom: string;
  readonly amount: string;
}

/** `1.5 IXO` for 1500000 of `uixo`: a denomination that begins with u counts millionths. */
export function coinText({ denom, amount }: Coin): string {
  if (!/^u[a-z]{2,}$/.test(denom) || !/^\d+$/.test(amount)) return `${amount} ${denom}`;
  const digits = amount.padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`} ${denom.slice(1).toUpperCase()}`;
}

/** The ends of a long id, which is what people compare. */
export function shortId(id: string, length = 22): string {
  return id.length <= length ? id : `${id.slice(0, length - 9)}…${id.slice(-8)}`;
}

/** `NO_PAYMENT` and `DISPUTE_STATUS_NEW` as words. */
export function wordOf(name: string, prefix = ''): string {
  const words = name.replace(prefix, '').toLowerCase().replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
