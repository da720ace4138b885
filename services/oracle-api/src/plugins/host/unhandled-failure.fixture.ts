/** A process in which a plugin leaves an unhandled failure: in a rejection or in a timer, by its argument. */
import { failureFields, inPlugin, iterateInPlugin } from './plugin-isolation.js';

const fail = async () => {
  await Promise.resolve();
  throw new Error('left behind');
};
const leaveBehind: Readonly<Record<string, () => void>> = {
  rejection: () => void fail(),
  timer: () =>
    void setTimeout(() => {
      throw new Error('left behind');
    }, 1),
};
const leave = leaveBehind[process.argv[2] ?? ''] ?? (() => undefined);
const report = () => process.stdout.write(JSON.stringify(failureFields()));
process.once('unhandledRejection', report);
process.once('uncaughtException', report);

async function* steps() {
  await Promise.resolve();
  leave();
  yield 'step';
}
if (process.argv[3] === 'in a stream') for await (const _step of iterateInPlugin('weather', steps)) break;
else inPlugin('weather', leave);
