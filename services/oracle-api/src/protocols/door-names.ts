/** Tongues of other clients, each with a folder of its own. */
export const doorNames = ['openai', 'ai-sdk', 'mcp', 'ag-ui', 'a2a'] as const;

export type DoorName = (typeof doorNames)[number];

export function isDoorName(name: string): name is DoorName {
  return doorNames.some((known) => known === name);
}

/** Which of them are open: those that are named, and where nothing is said all of them in development. */
export function doorsOf({
  DOORS,
  NODE_ENV,
}: {
  readonly DOORS: readonly string[];
  readonly NODE_ENV: string;
}): DoorName[] {
  if (DOORS.length === 0 && NODE_ENV === 'development') return [...doorNames];
  return DOORS.filter(isDoorName);
}
