import { AnswerReading } from './answer-reading.js';
import { type Door, endurancesMs } from './door.js';
import type { OracleUser } from './oracle-user.js';
import { readFrames } from './read-frames.js';
import { questionFor } from './tale.js';

interface Question {
  readonly sessionId: string;
  readonly requestId: string;
  readonly number: number;
}

/** Sends a message and reads its answer to the end, as published clients do. Says what was wrong where it has no end. */
export async function askTale(
  user: OracleUser,
  door: Door,
  question: Question,
): Promise<AnswerReading | { wrong: string }> {
  const { sessionId, requestId, number } = question;
  const reading = new AnswerReading();
  const beganMs = performance.now();
  let unservedMs: number | undefined;
  for (let attempt = 1; performance.now() - beganMs < endurancesMs; attempt++) {
    const before = reading.lastId;
    const body = JSON.stringify({ message: questionFor(number), requestId, stream: true });
    const headers = await user.headers();
    const status = await (reading.runId === undefined
      ? readInto(reading, `${door.url}/messages/${sessionId}`, { method: 'POST', headers, body })
      : readInto(reading, `${door.url}/runs/${reading.runId}?after=${reading.lastId}`, { headers }));
    if (reading.lastId > before) {
      if (unservedMs !== undefined) door.tally.waited('oracle stream', performance.now() - unservedMs);
      unservedMs = undefined;
      attempt = 0;
    }
    if (reading.status !== undefined) return reading;
    unservedMs ??= performance.now();
    if (status !== 200) door.refused(status === 0 ? 'no stream' : `${status} to a stream`);
    else door.refused('stream cut');
    if (status === 404 || status === 400 || status === 401) return { wrong: `was answered ${status}` };
    door.turnToOther();
    await door.pause(attempt);
    // Whether the message has arrived is asked before it is sent again.
    if (reading.runId === undefined) reading.runId = await runOf(user, door, question);
  }
  return { wrong: `has no end after ${endurancesMs / 1000} s, run ${reading.runId}` };
}

async function runOf(user: OracleUser, door: Door, { sessionId, requestId }: Question): Promise<string | undefined> {
  const answer = await door.ask(`/sessions/${sessionId}/run`, { headers: await user.headers() });
  if (answer?.status !== 200) return undefined;
  const { run } = JSON.parse(answer.body) as { run: { runId: string; requestId: string } | null };
  return run?.requestId === requestId ? run.runId : undefined;
}

/** Resolves with the status, 0 where nobody answered. */
async function readInto(reading: AnswerReading, url: string, init: RequestInit): Promise<number> {
  return readFrames(url, init, (frames) => reading.take(frames) !== 'begins again' && reading.status === undefined);
}
