// Preloaded into each service (`node --import`): when the start script is killed too hard to stop its children, they
// stop by themselves.
import { isMainThread } from 'node:worker_threads';
import { watchParent } from './parent-watch.mjs';

const HARD_STOP_AFTER_MS = 10_000;

if (isMainThread) {
  watchParent(
    () => {
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), HARD_STOP_AFTER_MS).unref();
      process.kill(process.pid, 'SIGTERM');
    },
    { env: {} },
  );
}
