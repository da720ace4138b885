import { useCallback, useEffect, useReducer, useState } from 'react';
import { type AggregatorId, hangUpOf } from '../wire/aggregators.js';
import { type Fault, isSame, sendWithFault } from '../wire/faults.js';
import { send } from '../wire/send.js';
import type { OpenSession } from '../wire/simulator.js';
import { type Handset, type HandsetEvent, type Hop, handsetAfter, newHandset, nextHop } from './handset.js';
import { storedHandsets, storeHandsets } from './stored-handsets.js';

/** Idle time after which the network closes a session. */
const NETWORK_IDLE_SECONDS = 120;

export interface Handsets {
  readonly all: readonly Handset[];
  readonly current: Handset;
  readonly choose: (number: string) => void;
  readonly type: (text: string) => void;
  /** The call key: dials, or sends the input. */
  readonly press: () => void;
  /** The red key. */
  readonly hangUp: () => void;
  /** Starts a new recording of the dialogue, or stops it. */
  readonly record: (on: boolean) => void;
  /** Sends a hop again, as aggregators do after a missed response. Resolves to whether the response is the same. */
  readonly resend: (hop: Hop) => Promise<boolean>;
  /** Seconds until the network closes the session; undefined while no input is expected. */
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

/** The simulated network between a phone and the gateway. */
export interface Network {
  /** Path prefix of the gateway. */
  readonly gateway: string;
  /** Aggregator of new sessions. */
  readonly aggregator: AggregatorId;
  /** Fault applied to the next hops. */
  readonly fault: Fault;
}

/** Phones, one selected. Each phone keeps its session while another is selected and across page reloads. */
export function useHandsets(
  numbers: readonly [string, ...string[]],
  code: string,
  { gateway, aggregator, fault }: Network,
): Handsets {
  const [stored] = useState(() => storedHandsets(numbers, code));
  const [all, dispatch] = useReducer(after, stored.all);
  const [chosen, setChosen] = useState<string>(stored.chosen);
  useEffect(() => storeHandsets({ all, chosen }), [all, chosen]);
  const current = all.find(({ number }) => number === chosen) ?? newHandset(chosen, code);
  const update = useCallback((number: string, event: HandsetEvent) => dispatch({ number, event }), []);
  const runOut = useCallback(() => update(chosen, { type: 'cancelled', why: 'ran out' }), [update, chosen]);
  const secondsLeft = useCountdown(current, runOut);

  function press(): void {
    const hop = nextHop(current, () => crypto.randomUUID(), openSessionOf(current)?.aggregator ?? aggregator);
    if (hop === undefined) return;
    update(chosen, { type: 'sent', hop });
    void sendWithFault(gateway, hop.request, fault).then((reply) =>
      update(chosen, { type: 'answered', id: hop.id, reply }),
    );
  }

  function hangUp(): void {
    const open = openSessionOf(current);
    const request = open && current.session && hangUpOf(open.aggregator, current.session);
    if (request !== undefined) void send(gateway, request);
    update(chosen, { type: 'cancelled', why: 'hung up' });
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
    type: (text) => update(chosen, { type: 'typed', text }),
    record: (on) => update(chosen, { type: 'records', on }),
    resend: async ({ request, reply }) => reply !== undefined && isSame(request, await send(gateway, request), reply),
  };
}

/** The open session of a phone, as the gateway identifies it. */
export function openSessionOf({ session, hops, number }: Handset): OpenSession | undefined {
  const [last] = hops;
  if (session === undefined || last === undefined) return undefined;
  return { aggregator: last.request.aggregator, sessionId: session.id, phoneNumber: number, serviceCode: session.code };
}

/** Counts down from the last hop while input is expected. */
function useCountdown({ phase, hops }: Handset, runOut: () => void): number | undefined {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const lastHop = hops[0]?.id;
  useEffect(() => {
    if (phase !== 'open' || lastHop === undefined) {
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
