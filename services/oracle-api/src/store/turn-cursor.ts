const prefix = 't1.';

/** Names a turn to a client that shall not read anything into it. */
export function cursorOf(turnId: string): string {
  return Buffer.from(prefix + turnId).toString('base64url');
}

/** The turn that a cursor names; undefined for text that never was one. */
export function turnOf(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const turnId = text.slice(prefix.length);
  return text.startsWith(prefix) && cursorOf(turnId) === cursor && !turnId.includes('\u0000') ? turnId : undefined;
}
