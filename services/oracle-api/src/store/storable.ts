/** Text as Postgres can keep it: without NUL, and with a replacement character where half of a surrogate pair stands alone. */
export function storableText(text: string): string {
  return Buffer.from(text.replaceAll('\u0000', ''), 'utf8').toString('utf8');
}

/** The same for every text in a JSON value, names of fields too. */
export function storableJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
    if (typeof part === 'string') return storableText(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [storableText(name), field]));
  }) as T;
}

/** Postgres text has no NUL: an id with one cannot be there, and asking for it would be an error. */
export function isStorable(id: string): boolean {
  return !id.includes('\u0000');
}
