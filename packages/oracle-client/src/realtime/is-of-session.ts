/** Whether an event is of a session: those of others are nobody's business here; some events name none. */
export function isOfSession(data: unknown, own: string): data is Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return false;
  const { sessionId } = data as { sessionId?: unknown };
  return sessionId === undefined || sessionId === '' || sessionId === own;
}
