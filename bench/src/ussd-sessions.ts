/** Texts of one session through the menus: a dial, two screens on, one back, and out. */
const menuTexts = ['', '1', '1*2', '1*2*0', '1*2*0**'] as const;

export interface UssdHop {
  readonly text: string;
  readonly body: string;
}

/** The request of one hop. Each session has an id and a phone of its own. */
export function hopOf(session: number, text: string, serviceCode = '*384#'): UssdHop {
  const phoneNumber = `+26${String(1_000_000_000 + session)}`;
  return { text, body: JSON.stringify({ sessionId: `bench-${session}`, serviceCode, phoneNumber, text }) };
}

/**
 * Hops of ever new sessions, one session after the other. Where several callers take turns, each needs its own.
 * @param codeOf what each dials.
 */
export function* menuHops(sessions: Iterator<number>, codeOf?: (session: number) => string): Generator<UssdHop, never> {
  for (;;) {
    const session = sessions.next().value;
    for (const text of menuTexts) yield hopOf(session, text, codeOf?.(session));
  }
}

export function* countUp(from: number): Generator<number, never> {
  for (let count = from; ; count++) yield count;
}

/** What the service answers to each text, so that a floor can answer the same bytes. */
export async function learnReplies(url: string): Promise<Record<string, string>> {
  const replies: Record<string, string> = {};
  for (const text of menuTexts) {
    const { body } = hopOf(0, text);
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/api/ussd`, { method: 'POST', headers, body });
    replies[text] = await reply.text();
  }
  return replies;
}
