import type { Flow } from '../engine/flow.js';
import type { SessionRecord } from './session-record.js';

/** Two clocks in whole ms, and two processes' clocks at that, agree no better: in doubt an input is new. */
const clockErrorMs = 1;

/** Nobody reads a screen and types five digits within this time, so the same secret twice is a retry: it confirms nothing. */
const secretWindowMs = 1000;

/**
 * Whether the user cannot have seen the screen that a session is on when a hop arrived: the same input again is then a retry of the one
 * before.
 *
 * @param flow the one that the session is on.
 * @param windowMs how long it takes at least to read a screen and press a key.
 */
export function isUnseen(
  { shownAtMs = Number.NEGATIVE_INFINITY, position }: SessionRecord,
  flow: Flow | undefined,
  arrivedMs: number,
  windowMs: number,
): boolean {
  const screen = flow?.screens[position.state];
  const wantsSecret = screen?.kind === 'entry' && screen.entry.secret;
  return arrivedMs - (wantsSecret ? Math.max(windowMs, secretWindowMs) : windowMs) + clockErrorMs < shownAtMs;
}
