/** Protocols of other clients, one folder each. */
export const protocolNames = ['openai', 'ai-sdk', 'mcp', 'ag-ui', 'a2a'] as const;

export type ProtocolName = (typeof protocolNames)[number];

export function isProtocolName(name: string): name is ProtocolName {
  return protocolNames.some((known) => known === name);
}

/** Enabled protocols: those named by `DOORS`; by default all in development and none in production. */
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
