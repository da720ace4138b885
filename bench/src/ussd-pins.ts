import { HttpLine } from './http-line.js';
import { freshSessions, loadWith, send, type UssdMeasurement, type UssdTarget } from './ussd-load.js';
import { hopOf, type UssdHop } from './ussd-sessions.js';

const phones = 8;

/** So many accounts created, then logged in to: only the hops that seal or open a PIN are measured. */
export async function measurePins(
  target: UssdTarget,
  accounts: number,
): Promise<{ create: UssdMeasurement; logIn: UssdMeasurement }> {
  const first = freshSessions(2 * accounts);
  const signUps = Array.from({ length: accounts }, (_, index) => first + index);
  await walk(target, signUps, ['', '2', '2*2', '2*2*Amina', '2*2*Amina*00', '2*2*Amina*00*90210']);
  const created = '2*2*Amina*00*90210*90210';
  const create = await loadWith(target, shared(signUps.map((session) => hopOf(session, created))));

  // The reply to a retry is the stored one.
  const line = new HttpLine(target.url, '/api/ussd');
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
  const logIn = await loadWith(target, shared(logIns.map(({ session, id }) => hopOf(session, `2*1*${id}*90210`))));
  return { create, logIn };
}

async function walk(target: UssdTarget, sessions: readonly number[], texts: readonly string[]): Promise<void> {
  for (const text of texts) await loadWith(target, shared(sessions.map((session) => hopOf(session, text))));
}

/** The same hops for all phones: each takes the next one there is. */
function shared(hops: readonly UssdHop[]): Iterator<UssdHop>[] {
  const queue = hops.values();
  return Array.from({ length: phones }, () => queue);
}
