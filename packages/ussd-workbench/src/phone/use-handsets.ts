import { useCallback, useEffect, useReducer, useState } from 'react';
import { type AggregatorId, hangUpOf } from '../wire/aggregators.js';
import { type Fault, isSame, sendWithFault } from '../wire/faults.js';
import { send } from '../wire/send.js';
import type { OpenSession } from '../wire/simulator.js';
import { type Handset, type HandsetEvent, type Hop, handsetAfter, newHandset, nextHop } from './handset.js';
import { storedHandsets, storeHandsets } from './stored-handsets.js';

/** How long a network waits for somebody to type before it closes a session. */
const NETWORK_IDLE_SECONDS = 120;

export interface Handsets {
  readonly all: readonly Handset[];
  readonly current: Handset;
  readonly choose: (number: string) => void;
  readonly type: (text: string) => void;
  /** The call key: dials, or sends what is typed. */
  readonly press: () => void;
  /** The red key. */
  readonly hangUp: () => void;
  /** Begins to record the dialogue, anew, or ends it. */
  readonly record: (on: boolean) => void;
  /** Delivers a hop once more, as gateways do that missed the answer; whether the answer is the same. */
  readonly again: (hop: Hop) => Promise<boolean>;
  /** Until the network closes the session; undefined when nobody has to type. */
  readonly secondsLeft: number | undefined;
}

type Event =
  | { readonly number: string; readonly event: HandsetEvent }
  | { readonly number: string; readonly code: string };

function after(all: readonly Handset[], change: Event): readonly Handset[] {
  if ('code' in change) {
    return all.some(({ number }) => number === change.number) ? all : [...all, newHandset(change.number, change.code)];
  }
  return all.map((one) => (one.number === change.number ? handsetAfter(one, change.event) : one));
}

/** What lies between a phone and the gateway. */
export interface Network {
  /** What the gateway's paths begin with. */
  readonly gateway: string;
  /** By which new sessions come. */
  readonly aggregator: AggregatorId;
  /** What becomes of the next hops. */
  readonly fault: Fault;
}

/** Phones with numbers of their own. Each keeps its session while another one is in hand, and while the page is loaded again. */
export function useHandsets(
  numbers: readonly [string, ...string[]],
  code: string,
  { gateway, aggregator, fault }: Network,
): Handsets {
  const [kept] = useState(() => storedHandsets(numbers, code));
  const [all, dispatch] = useReducer(after, kept.all);
  const [chosen, setChosen] = useState<string>(kept.chosen);
  useEffect(() => storeHandsets({ all, chosen }), [all, chosen]);
  const current = all.find(({ number }) => number === chosen) ?? newHandset(chosen, code);
  const tell = useCallback((number: string, event: HandsetEvent) => dispatch({ number, event }), []);
  const runOut = useCallback(() => tell(chosen, { type: 'cancelled', why: 'ran out' }), [tell, chosen]);
  const secondsLeft = useCountdown(current, runOut);

  function press(): void {
    const hop = nextHop(current, () => crypto.randomUUID(), openSessionOf(current)?.aggregator ?? aggregator);
    if (hop === undefined) return;
    tell(chosen, { type: 'sent', hop });
    void sendWithFault(gateway, hop.request, fault).then((reply) =>
      tell(chosen, { type: 'answered', id: hop.id, reply }),
    );
  }

  function hangUp(): void {
    const open = openSessionOf(current);
    const told = open && current.session && hangUpOf(open.aggregator, current.session);
    if (told !== undefined) void send(gateway, told);
    tell(chosen, { type: 'cancelled', why: 'hung up' });
  }

  return {
    all,
    current,
    secondsLeft,
    press,
    hangUp,
    choose: (number) => {
      dispatch({ number, code });
      setChosen(number);
    },
    type: (text) => tell(chosen, { type: 'typed', text }),
    record: (on) => tell(chosen, { type: 'records', on }),
    again: async ({ request, reply }) => reply !== undefined && isSame(request, await send(gateway, request), reply),
  };
}

/** The session that a phone has open, as the gateway names it. */
export function openSessionOf({ session, hops, number }: Handset): OpenSession | undefined {
  const [last] = hops;
  if (session === undefined || last === undefined) return undefined;
  return { aggregator: last.request.aggregator, sessionId: session.id, phoneNumber: number, serviceCode: session.code };
}

/** Counts down while somebody has to type, from the last hop on. */
function useCountdown({ phase, hops }: Handset, runOut: () => void): number | undefined {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const lastHop = hops[0]?.id;
  useEffect(() => {
    if (phase !== 'asking' || lastHop === undefined) {
      setSecondsLeft(undefined);
      return undefined;
    }
    const endMs = performance.now() + NETWORK_IDLE_SECONDS * 1000;
    setSecondsLeft(NETWORK_IDLE_SECONDS);
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((endMs - performance.now()) / 1000));
      setSecondsLeft(left);
      if (left === 0) runOut();
    }, 1000);
    return () => clearInterval(timer);
  }, [phase, lastHop, runOut]);
  return secondsLeft;
}
