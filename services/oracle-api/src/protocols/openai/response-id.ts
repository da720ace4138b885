/** Which answer of which session an id of a response names: nothing has to be looked up to know it. */
export interface AnswerPlace {
  readonly sessionId: string;
  readonly requestId: string;
}

export function responseIdOf({ sessionId, requestId }: AnswerPlace): string {
  return `resp_${sessionId}.${requestId}`;
}

/** Undefined for what is no such id. Ids of sessions have no dots. */
export function placeIn(responseId: string): AnswerPlace | undefined {
  const [, sessionId, requestId] = /^resp_([^.]+)\.(.+)$/.exec(responseId) ?? [];
  return sessionId === undefined || requestId === undefined ? undefined : { sessionId, requestId };
}
