import { setTimeout as sleep } from 'node:timers/promises';
import type { Door } from './door.js';
import type { Sky } from './sky.js';

const paths = ['/proto/token/params', '/proto/entity/did:ixo:entity:e0001', '/proto/claims/claims?pagination.limit=5'];
/** Between two queries of one caller. */
const paceMs = 40;

/** Callers who ask the chain, whose answers never change. */
export class Queriers {
  readonly #right = new Map<string, string>();

  /** Goes on until the soak is over. */
  async run(door: Door, sky: Sky): Promise<void> {
    for (let turn = 0; !sky.isOver; turn++) {
      await sky.doing(() => this.#one(paths[turn % paths.length] ?? '', door));
      await sleep(paceMs);
    }
  }

  async #one(path: string, door: Door): Promise<void> {
    const answer = await door.served(path, () => ({ headers: { accept: 'application/json' } }));
    if (answer === undefined) {
      door.tally.violate('callers are told in the end', `nobody answered ${path}`);
      return;
    }
    const right = this.#right.get(path) ?? answer.body;
    this.#right.set(path, right);
    if (answer.status === 200 && answer.body === right) door.tally.count('queries');
    else
      door.tally.violate(
        'queries are answered right',
        `${path} was answered ${answer.status}: ${answer.body.slice(0, 300)}`,
      );
  }
}
