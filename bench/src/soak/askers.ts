import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { askTale } from './ask-tale.js';
import type { Door } from './door.js';
import type { OracleUser } from './oracle-user.js';
import { SessionEar } from './session-ear.js';
import type { Sky } from './sky.js';
import { taleOf } from './tale.js';

/** A turn whose answer was read to its end. */
export interface Turn {
  readonly user: OracleUser;
  readonly sessionId: string;
  readonly requestId: string;
  readonly runId: string;
  readonly status: string;
  readonly text: string;
}

const turnsPerSession = 5;
/** How a turn may end that nobody has stopped. */
const ends = new Set(['finished', 'failed', 'interrupted']);
/** Within this of a fault a socket may miss what happens, for it is told by its own replica alone. */
const calmBeforeMs = 8000;
const hearingMs = 15_000;

/** Users who ask for tales, read them letter by letter, and hear of them by a socket. */
export class Askers {
  readonly turns: Turn[] = [];
  #count = 0;

  /** One user, until the soak is over. */
  async run(user: OracleUser, door: Door, sky: Sky): Promise<void> {
    let place: { sessionId: string; ear: SessionEar; left: number } | undefined;
    while (!sky.isOver) {
      await sky.doing(async () => {
        if (place === undefined || place.left === 0) {
          place?.ear.close();
          place = undefined;
          const sessionId = await newSession(user, door);
          if (sessionId === undefined) return;
          place = { sessionId, ear: await SessionEar.open(user, door, sessionId), left: turnsPerSession };
        }
        place.left -= 1;
        await this.#one(user, door, sky, place);
      });
    }
    place?.ear.close();
  }

  async #one(
    user: OracleUser,
    door: Door,
    sky: Sky,
    { sessionId, ear }: { sessionId: string; ear: SessionEar },
  ): Promise<void> {
    const { tally } = door;
    const question = { sessionId, requestId: randomUUID(), number: ++this.#count };
    const beganMs = performance.now();
    const earSinceMs = ear.connectedSinceMs;
    const read = await askTale(user, door, question);
    if ('wrong' in read) {
      tally.violate('callers are told in the end', `turn ${question.number} ${read.wrong}`);
      return;
    }
    const { status = '', text, runId = '', faults, restarts } = read;
    for (const fault of faults) tally.violate('answers come letter by letter', `turn ${question.number}: ${fault}`);
    for (let count = 0; count < restarts; count++) tally.refuse('oracle', 'stream begun again at its first letter');
    if (!ends.has(status)) tally.violate('turns end once, as documented', `turn ${question.number} ended as ${status}`);
    this.#judge(question.number, status, text, tally);
    this.turns.push({ user, sessionId, requestId: question.requestId, runId, status, text });
    tally.count(`turns ${status}`);
    await this.#hear(question.requestId, { ear, earSinceMs, beganMs }, sky, tally);
  }

  #judge(number: number, status: string, text: string, tally: Door['tally']): void {
    const tale = taleOf(number).join('');
    const isRight = status === 'finished' ? text === tale : isPart(text, tale);
    if (!isRight) tally.violate('answers come letter by letter', `turn ${number}, ${status}: "${text}" of "${tale}"`);
  }

  async #hear(
    requestId: string,
    { ear, earSinceMs, beganMs }: { ear: SessionEar; earSinceMs: number | undefined; beganMs: number },
    sky: Sky,
    tally: Door['tally'],
  ): Promise<void> {
    const isOwed = () =>
      earSinceMs !== undefined && ear.connectedSinceMs === earSinceMs && sky.wasCalmSince(beganMs - calmBeforeMs);
    const timesOf = (event: string) => ear.timesHeard(event, requestId);
    const untilMs = performance.now() + hearingMs;
    while (isOwed() && timesOf('message_cache_invalidation') === 0 && performance.now() < untilMs) await sleep(50);
    for (const event of ['run_status', 'message_cache_invalidation']) {
      const times = timesOf(event);
      if (times > 1) tally.violate('sockets hear each event once', `${event} of ${requestId} ${times} times`);
      if (times === 0 && isOwed())
        tally.violate('sockets hear each event once', `${event} of ${requestId} never, in calm`);
      if (times > 0) tally.count('socket events heard');
    }
  }
}

/** An answer that was cut is a beginning of the whole one; one without a word of it says in words what happened. */
function isPart(text: string, tale: string): boolean {
  const words = text.split(' ').filter((word) => /^[a-z]+\d+$/.test(word));
  return tale.startsWith(text) || words.length === 0;
}

async function newSession(user: OracleUser, door: Door): Promise<string | undefined> {
  const init = async () => ({ method: 'POST', headers: await user.headers() });
  const answer = await door.served('/sessions', init);
  if (answer === undefined || answer.status >= 300) {
    door.tally.violate('callers are told in the end', `a session was answered ${answer?.status}: ${answer?.body}`);
    return undefined;
  }
  return (JSON.parse(answer.body) as { sessionId: string }).sessionId;
}
