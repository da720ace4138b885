/** Tongues of other clients, each with a folder of its own. */
export const protocolNames = ['openai', 'ai-sdk', 'mcp', 'ag-ui', 'a2a'] as const;

export type ProtocolName = (typeof protocolNames)[number];

export function isProtocolName(name: string): name is ProtocolName {
  return protocolNames.some((known) => known === name);
}

/** Which of them are open: those that are named, and where nothing is said all of them in development. */
export function enabledProtocols({
  DOORS,
  NODE_ENV,
}: {
  readonly DOORS: readonly string[];
  readonly NODE_ENV: string;
}): ProtocolName[] {
  if (DOORS.length === 0 && NODE_ENV === 'development') return [...protocolNames];
  return DOORS.filter(isProtocolName);
}
