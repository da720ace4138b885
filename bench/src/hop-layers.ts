/** What a menu hop is made of: the bare route, the packages around it one after another, all of them as the services have them, and the hop itself. */
import { fileURLToPath } from 'node:url';
import { type Child, startAnnouncedChild } from './child-process.js';
import { keepOneCoreFree } from './goals/cores.js';
import { Pairs } from './goals/pairs.js';
import { startService, startStores } from './goals/start-service.js';
import { printTable } from './print-table.js';
import { loadMenus } from './ussd-load.js';
import { learnReplies } from './ussd-sessions.js';

const load = { phones: 32, hops: 1500 };
const stock = ['zod', 'rate-limit', 'under-pressure', 'metrics'];

const placement = { core: keepOneCoreFree() };
const stores = await startStores();
const started: Child[] = [];
try {
  const service = await startService('ussd-gateway', { DATABASE_URL: stores.DATABASE_URL }, placement);
  started.push(service);
  const REPLIES = JSON.stringify(await learnReplies(service.url));
  const start = async (name: string, env: Record<string, string> = {}): Promise<Child> => {
    const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
    const child = await startAnnouncedChild(file, { REPLIES, ...env }, placement);
    started.push(child);
    return child;
  };
  const bare = await start('ussd-floor');
  const rows: string[][] = [];
  const add = async (name: string, target: Child) => {
    const { ratio, cpuUs } = await Pairs.play(
      () => loadMenus(target, load),
      () => loadMenus(bare, load),
    );
    rows.push([name, cpuUs.toFixed(0), `${ratio.figure.toFixed(2)}${ratio.isSettled ? '' : ' (restless)'}`]);
  };
  for (const [index, layer] of stock.entries())
    await add(`with ${layer}`, await start('layered-route', { LAYERS: stock.slice(0, index + 1).join(' ') }));
  await add('as the services have them', await start('layered-route', { LAYERS: 'kit zod' }));
  await add('a menu hop, sessions in memory', service);
  printTable(['', 'CPU, µs', 'times the bare route'], rows);
} finally {
  await Promise.all(started.map((child) => child.stop()));
  await stores.stop();
}
