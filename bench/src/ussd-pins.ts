import { HttpLine } from './http-line.js';
import type { Load, Target } from './load-lines.js';
import { freshSessions, loadWith, send } from './ussd-load.js';
import { hopOf, type UssdHop } from './ussd-sessions.js';

const phones = 8;

/**
 * So many accounts created, then logged in to: only the hops in which the PIN is checked are measured.
 *
 * @param onLogIn called before the first of them
 */
export async function measureLogIns(target: Target, accounts: number, onLogIn = (): void => {}): Promise<Load> {
  const first = freshSessions(2 * accounts);
  const signUps = Array.from({ length: accounts }, (_, index) => first + index);
  await walk(target, signUps, ['', '2', '2*2', '2*2*Amina', '2*2*Amina*00', '2*2*Amina*00*90210']);
  const created = '2*2*Amina*00*90210*90210';
  await walk(target, signUps, [created]);

  // The reply to a retry is the stored one.
  const line = new HttpLine(target.url);
  const logIns: { session: number; id: string }[] = [];
  for (const session of signUps) {
    const id = /C[0-9A-Z]{8}/.exec(await send(line, hopOf(session, created)))?.[0];
    if (id === undefined) throw new Error('an account without a Customer ID');
    logIns.push({ session: session + accounts, id });
  }
  line.close();
  await walk(
    target,
    logIns.map(({ session }) => session),
    ['', '2', '2*1'],
  );
  const idLines = shared(logIns.map(({ session, id }) => hopOf(session, `2*1*${id}`)));
  await loadWith(target, idLines);
  onLogIn();
  return loadWith(target, shared(logIns.map(({ session, id }) => hopOf(session, `2*1*${id}*90210`))));
}

async function walk(target: Target, sessions: readonly number[], texts: readonly string[]): Promise<void> {
  for (const text of texts) await loadWith(target, shared(sessions.map((session) => hopOf(session, text))));
}

/** The same hops for all phones: each takes the next one there is. */
function shared(hops: readonly UssdHop[]): Iterator<UssdHop>[] {
  const queue = hops.values();
  return Array.from({ length: phones }, () => queue);
}
