import type { RedisClient } from '@mlango/service-kit/redis';
import { joinFrames } from './joined-frames.js';
import { joinedFieldsOf } from './redis-frame.js';
import type { RunKeys } from './redis-run-keys.js';
import { joinScript } from './redis-run-scripts.js';
import type { RunFrame, RunLogPart } from './run-store.js';

/** Characters of a log above which its frames are left as they are: they go soon, and reading them would take memory here. */
const joinedLogChars = 1_048_576;

/** Joins the texts of a run that has ended: what is kept of it takes a fraction of the room, for as long as it would. */
export async function joinEnded(
  redis: RedisClient,
  { head, stream }: RunKeys,
  read: (after: number) => Promise<RunLogPart | undefined>,
): Promise<void> {
  const frames: RunFrame[] = [];
  let chars = 0;
  for (let part = await read(0); part !== undefined; part = await read(frames.at(-1)?.id ?? 0)) {
    if (part.frames.length === 0) break;
    for (const { data } of part.frames) chars += data.length;
    if (chars > joinedLogChars) return;
    frames.push(...part.frames);
  }
  const joined = joinFrames(frames);
  if (joined.length === frames.length) return;
  const values = joined.flatMap((frame) => [frame.id, ...joinedFieldsOf(frame)]);
  await joinScript.run(redis, [head, stream], values);
}
