import fc from 'fast-check';
import { expect } from 'vitest';
import { menuHopRules } from '../../src/sessions/hop-rules.fixture.js';
import { type HopDeps, runHop } from '../../src/sessions/run-hop.js';
import type { SessionStore } from '../../src/sessions/session-store.js';
import { SessionQueue } from '../../src/sessions/with-session-lock.js';

/** A second description of the dialogue, as a table: state and input to the next state; any other input stays. */
const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  preMenu: { '1': 'knowMore', '2': 'accountMenu', '3': 'openLanguageMenu', '0': 'closed', '*': 'closed' },
  openLanguageMenu: { '1': 'preMenu', '2': 'preMenu', '3': 'preMenu', '0': 'preMenu', '*': 'closed' },
  knowMore: { '1': 'infoTopic', '2': 'infoTopic', '3': 'infoTopic', '0': 'preMenu', '*': 'closed' },
  infoTopic: { '1': 'preMenu', '0': 'knowMore', '*': 'closed' },
  accountMenu: { '1': 'customerIdEntry', '2': 'nameEntry', '0': 'preMenu', '*': 'closed' },
  customerIdEntry: { '0': 'accountMenu', '*': 'closed' },
  nameEntry: { '0': 'accountMenu', '*': 'closed' },
};

/**
 * State in which a lost session resumes: inputs on a screen of free text, or that chose a language, and all later ones,
 * are not replayed.
 */
function replayed(inputs: readonly string[]): string {
  let state = 'preMenu';
  for (const input of inputs) {
    if (state.endsWith('Entry') || (state === 'openLanguageMenu' && /^[123]$/.test(input))) break;
    state = table[state]?.[input] ?? state;
  }
  return state;
}

/** Deliveries of one input by a gateway: several times at once, and an earlier one again. */
interface Delivery {
  readonly input: string;
  readonly copies: number;
  readonly late: number | undefined;
  /** The session's data is lost before this hop. */
  readonly isDropped: boolean;
}

export const delivery: fc.Arbitrary<Delivery> = fc.record({
  input: fc.constantFrom('1', '1', '2', '3', '0', '9', 'x', '', '98'),
  copies: fc.integer({ min: 1, max: 4 }),
  late: fc.option(fc.nat({ max: 30 }), { nil: undefined }),
  isDropped: fc.boolean(),
});

export type Two<Each> = readonly [Each, Each];

const replica = (store: SessionStore): HopDeps => ({
  store,
  queue: new SessionQueue(),
  rules: menuHopRules(),
  sessionTtlMs: 60_000,
  hopDeadlineMs: 10_000,
  clock: () => 0,
});

/** Two empty inputs at the end of a lost session's text equal an exit, and an empty first one equals a dial. */
function isAmbiguousAfter(text: string): boolean {
  return text === '' || text.endsWith('*');
}

function extend(text: string, input: string): string {
  return text === '' ? input : `${text}*${input}`;
}

/**
 * Plays one session on two processes and compares each hop with the table.
 *
 * @param empty the empty stores of both.
 */
export async function play(
  deliveries: readonly Delivery[],
  sessionId: string,
  empty: () => Promise<Two<SessionStore>>,
): Promise<void> {
  const open = async (): Promise<Two<HopDeps>> => {
    const [one, two] = await empty();
    return [replica(one), replica(two)];
  };
  const hop = (text: string) => ({
    aggregator: 'canonical',
    sessionId,
    phoneNumber: '+260971230567',
    serviceCode: '*384#',
    text,
    arrivedAtMs: 0,
  });
  let replicas = await open();
  const sent = [''];
  const typedInputs: string[] = [];
  let state = 'preMenu';
  await runHop(hop(''), replicas[0]);
  for (const { input: typed, copies, late, isDropped } of deliveries) {
    const before = sent.at(-1) ?? '';
    const input = typed === '' && isAmbiguousAfter(before) ? '9' : typed;
    const text = extend(before, input);
    if (text.length > 182) return;
    if (isDropped) replicas = await open();
    sent.push(text);
    typedInputs.push(input);
    state = isDropped ? replayed(typedInputs) : (table[state]?.[input] ?? state);
    const replies = await Promise.all(
      Array.from({ length: copies }, (_, copy) => runHop(hop(text), replicas[copy % 2 === 0 ? 0 : 1])),
    );
    expect(new Set(replies.map(({ reply }) => reply)).size).toBe(1);
    expect(replies.map((reply) => reply.state)).toEqual(replies.map(() => state));
    if (state === 'closed') return;
    const earlier = late === undefined ? '' : (sent[late % sent.length] ?? '');
    if (earlier !== '') expect((await runHop(hop(earlier), replicas[1])).reply).toBe(replies[0]?.reply);
  }
}
