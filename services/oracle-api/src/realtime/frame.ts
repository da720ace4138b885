/** One event for a client's socket, and its JSON, made once for all who get it. */
export interface Frame {
  readonly event: string;
  readonly data: unknown;
  /** `{"event":…,"data":…}` */
  readonly text: string;
}

export function frameOf(event: string, data: unknown): Frame {
  return { event, data, text: JSON.stringify({ event, data }) };
}
