import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

/**
 * Until the service listens, V8 optimises nothing: what runs a few times, once, does not pay for being compiled well. That saves an eighth
 * to a quarter of the work of a start and 10 to 13 MB, which the process would keep. Called before anything else is loaded; for a process that
 * serves, not for one that ends when its work is done.
 */
export function startLean(): void {
  setFlagsFromString('--no-opt');
}

/**
 * Called once all is loaded and before anything is served. What only the start needed goes back to the system, and so does the room for young
 * objects, which a start makes V8 widen since so much of what it makes stays: some 35 MB for a tenth of a second. From here on hot code is
 * optimised (V8 reads the flag whenever it decides about a function), and requests widen that room again, to its bound in one step.
 */
export async function endLeanStart(): Promise<void> {
  // Node can be built without.
  if (process.features.inspector) await giveBack();
  setFlagsFromString('--semi-space-growth-factor=16');
  setFlagsFromString('--opt');
}

/** Objects of a form that V8 must not forget. */
const kept: object[] = [];

/** The only collection that a program can ask for by which V8 gives room for young objects back. */
async function giveBack(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  // With the last object of a form V8 forgets the form. `process.nextTick` makes one a call, and code that has seen two forms there would take
  // the slow way for the life of the process: a tenth of a short request.
  kept.push(await new Promise<object>((resolve) => process.nextTick(() => resolve(executionAsyncResource()))));
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
