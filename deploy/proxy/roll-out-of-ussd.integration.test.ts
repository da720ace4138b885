import { randomBytes } from 'node:crypto';
import { Random } from '@mlango/test-services/random';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bank } from '../../services/ussd-gateway/test/model/bank.js';
import { Subscriber } from '../../services/ussd-gateway/test/model/subscriber.js';
import { postHop } from '../../services/ussd-gateway/test/support/service-process.js';
import { countCustomers } from '../../services/ussd-gateway/test/support/stored-text.js';
import { bothBuilds, canRollOut } from './both-builds.fixture.js';
import { Work } from './disturbance.fixture.js';
import { lineTo } from './line.fixture.js';

const hops = 3_000;
const callers = 12;
const lockSeconds = 900;
const pin = '90210';
/** A run repeats its subscribers with the seed that its failure names. */
const seed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const secret = () => randomBytes(32).toString('hex');

describe.skipIf(!canRollOut)('a roll-out of the USSD gateway', { timeout: 180_000 }, () => {
  let builds: Awaited<ReturnType<typeof bothBuilds>>;
  beforeEach(async () => {
    builds = await bothBuilds('ussd-gateway', {
      PIN_ENCRYPTION_KEY: secret(),
      OPERATOR_TOKEN: secret(),
      METRICS_TOKEN: secret(),
      LOCKOUT_SECONDS: String(lockSeconds),
      // The resume offer after a redial is not part of the model.
      RESUME_WINDOW_SECONDS: '0',
    });
  });
  afterEach(() => builds.end());

  it('and back loses no caller and no account, and repeats no effect', async () => {
    const { replicas, proxy } = await builds.behindProxy();
    const line = lineTo(proxy);
    const work = new Work(hops);
    const banks: Bank[] = [];
    const each = Array.from({ length: callers }, async (_, caller) => {
      const bank = new Bank(lockSeconds * 1000, `C${String(caller).padStart(8, '0')}`);
      banks.push(bank);
      const who = { sessionId: `shared-${caller % 3}`, phoneNumber: `+260971${230_000 + caller * 7}` };
      const subscriber = new Subscriber(who, { bank, random: new Random(seed + caller), line, seen: new Set() });
      while (work.goesOn) work.add(await work.doing(() => subscriber.type()));
    });
    await Promise.all([...each, builds.thereAndBack(replicas, work)]).catch((error: unknown) => {
      throw new Error(`after ${work.done} hops of MODEL_SEED=${seed}: ${String(error)}`, { cause: error });
    });
    expect(await countCustomers(builds.database.url)).toBe(banks.flatMap(({ accounts }) => accounts).length);
  });

  it('continues each call where it was, on either build', async () => {
    const two = await builds.sideBySide();
    const bases = two.map(({ address }) => `http://${address}`);
    let phones = 0;
    /** Types each input at the other build than the one before; each answer is the same at both. */
    const type = async (first: number, inputs: readonly string[]) => {
      phones += 1;
      const phoneNumber = `+2609770000${String(phones).padStart(2, '0')}`;
      const caller = { sessionId: phoneNumber, phoneNumber };
      const hop = (at: number, text: string) => postHop(bases[at % 2] ?? '', text, caller);
      let screen = await hop(first, '');
      for (const [index] of inputs.entries()) {
        const text = inputs.slice(0, index + 1).join('*');
        screen = await hop(first + index, text);
        expect(await hop(first + index + 1, text)).toBe(screen);
      }
      return screen;
    };
    for (const first of [0, 1]) {
      const signedUp = await type(first, ['2', '2', 'Amina', '00', pin, pin]);
      const [id = signedUp] = /C[0-9A-Z]{8}/.exec(signedUp) ?? [];
      for (const at of [0, 1]) expect(await type(at, ['2', '1', id, pin])).toMatch(/^CON Welcome, /);
      // The third wrong one locks, wherever the others were counted.
      expect(await type(first, ['2', '1', id, '00000'])).toMatch(/Attempts left: 2/);
      expect(await type(first + 1, ['2', '1', id, '00001'])).toMatch(/Attempts left: 1/);
      expect(await type(first, ['2', '1', id, '00002'])).toMatch(/locked/i);
      for (const at of [0, 1]) expect(await type(at, ['2', '1', id, pin])).toMatch(/locked/i);
    }
  });

  it('counts the hops of an address once across both builds', async () => {
    const two = await builds.sideBySide({ RATE_LIMIT_MAX: '6' });
    const served: boolean[] = [];
    for (let hop = 0; hop < 8; hop += 1) {
      const caller = { sessionId: `limit-${hop}`, phoneNumber: `+2547000000${20 + hop}` };
      const dialled = postHop(`http://${two[hop % 2]?.address}`, '', caller);
      served.push(
        await dialled.then(
          () => true,
          (error: Error) => (error.message === 'status 429' ? false : Promise.reject(error)),
        ),
      );
    }
    expect(served).toEqual([true, true, true, true, true, true, false, false]);
  });
});
