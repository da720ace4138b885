import type { HttpLine } from './http-line.js';
import { type Load, loadLines, type Target } from './load-lines.js';
import { countUp, menuHops, type UssdHop } from './ussd-sessions.js';

const path = '/api/ussd';
let nextSession = 1;

/** Ever new sessions: no two measurements of a run share one. */
export function freshSessions(count: number): number {
  const first = nextSession;
  nextSession += count;
  return first;
}

export async function send(line: HttpLine, hop: UssdHop): Promise<string> {
  const { status, body } = await line.post(path, hop.body);
  if (status !== 200 || !/^(?:CON|END) (?!Service|Too many|Invalid input)/.test(body)) {
    throw new Error(`"${hop.text}" was answered with ${status}: ${body}`);
  }
  return body;
}

/** Hops of so many phones at one time. */
export function loadWith(target: Target, hops: readonly Iterator<UssdHop>[]): Promise<Load> {
  return loadLines(target, hops, send);
}

/** Menu sessions of so many phones at one time, until so many hops are done. */
export function loadMenus(target: Target, options: { phones: number; hops: number }): Promise<Load> {
  const sessions = countUp(freshSessions(options.hops));
  let left = options.hops;
  function* own(): Generator<UssdHop, undefined> {
    for (const hop of menuHops(sessions)) {
      if (left-- <= 0) return;
      yield hop;
    }
  }
  return loadWith(target, Array.from({ length: options.phones }, own));
}
