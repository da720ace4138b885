import { keyringOf } from '@mlango/crypto/keyring';
import { createLogger } from '@mlango/service-kit/logging';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptyDatabase } from '../../test/support/embedded-database.js';
import { runMessages } from '../connectors/message/run-messages.js';
import { EffectRunner } from '../effects/effect-runner.js';
import { EffectStore } from '../effects/effect-store.js';
import { inputSeal } from '../effects/sealed-input.js';
import { countSegments } from '../engine/pages/message-limits.js';
import { linkCodes } from './link-codes.js';
import { linkNotice, linkNoticeTexts } from './link-notice.js';
import { PhoneLinks } from './phone-links.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const keyring = keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 5) }]);
const phoneNumber = '+254711000001';

async function scene(language?: string, perPhonePerDay = 20) {
  const effectStore = new EffectStore(await emptyDatabase());
  // Messages never begin at the same time: each counts the earlier ones.
  let nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs++);
  const sent: { readonly to: string; readonly text: string }[] = [];
  const effects = runMessages({
    effectStore,
    perPhonePerDay,
    logger,
    onEnded: () => {},
    send: async ({ phoneNumber: to, text }) => {
      sent.push({ to, text });
      return { result: 'sent' };
    },
  });
  const effectRunner = new EffectRunner({ store: effectStore, effects, seal: inputSeal(keyring), logger });
  const notify = linkNotice({ effectRunner, findCaller: async () => ({ language }) });
  const work = async () => {
    await effectRunner.resumeDue(100);
    await effectRunner.idle();
  };
  return { notify, sent, work, effectStore };
}

afterEach(() => vi.restoreAllMocks());

describe('the notice of a new link', () => {
  it.each(Object.entries(linkNoticeTexts))('is one SMS in the language of the phone: %s', async (language, text) => {
    const { notify, sent, work } = await scene(language);
    await notify(phoneNumber);
    await work();
    expect(sent).toEqual([{ to: phoneNumber, text }]);
    expect(countSegments(text)).toBe(1);
  });

  it('is in English for a phone of an unknown language, and goes to the number in every tenant', async () => {
    for (const language of [undefined, 'xx', 'constructor']) {
      const { notify, sent, work } = await scene(language);
      await notify(`${phoneNumber}/clinic`);
      await work();
      expect(sent).toEqual([{ to: phoneNumber, text: linkNoticeTexts.en }]);
    }
  });

  it('is sent for each link, up to the daily messages of a phone', async () => {
    const { notify, sent, work } = await scene('en', 3);
    await Promise.all([notify(phoneNumber), notify(phoneNumber)]);
    for (let link = 2; link < 6; link += 1) await notify(phoneNumber);
    await work();
    expect(sent).toHaveLength(3);
  });

  it('is stored before the person gets the token, and without it there is no token', async () => {
    const order: string[] = [];
    const links = (notify: (phone: string) => Promise<void>) =>
      new PhoneLinks({
        codes: linkCodes(keyring),
        tries: { take: async () => ({ ok: true }) },
        randomBytes: (count) => Buffer.alloc(count),
        store: { takeCode: async () => `${phoneNumber}/clinic`, link: async () => order.push('link') > 0 } as never,
        identities: {
          of: async () => ({ did: 'did:key:phone' }),
          link: async () => ({ token: 'token', sealed: 'sealed' }),
        } as never,
        notify,
      });
    const noted = links(async (phone) => void order.push(`notice ${phone}`));
    expect(await noted.claim('12345678', 'did:key:person')).toMatchObject({ delegation: 'token' });
    expect(order).toEqual(['link', `notice ${phoneNumber}/clinic`]);
    const failing = links(() => Promise.reject(new Error('the database is unavailable')));
    await expect(failing.claim('12345678', 'did:key:person')).rejects.toThrow('unavailable');
  });
});
