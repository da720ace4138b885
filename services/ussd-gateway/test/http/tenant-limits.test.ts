import type { HttpApp } from '@mlango/service-kit/http-app';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemorySessionStore } from '../../src/sessions/memory-session-store.js';
import type { SessionKey } from '../../src/sessions/session-store.js';
import { servicesFolder } from '../support/services-folder.js';
import { openTestApp, sendHop, type TestAppOptions } from '../support/test-app.js';

async function open(limits: string, options: TestAppOptions = {}) {
  const yaml = `
services:
  clinic: { codes: ['*384*1#'], flow: default, name: Afya, limits: { ${limits} } }
  shop: { codes: ['*384*2#'], flow: default, name: Duka }
`;
  const app = await openTestApp({
    ...options,
    folder: servicesFolder(yaml),
    env: { RATE_LIMIT_TRUSTED_CIDRS: '127.0.0.1' },
  });
  onTestFinished(() => app.close());
  return app;
}

let phones = 0;
const dial = (app: HttpApp, serviceCode: string, phoneNumber = `+25471100${String(++phones).padStart(4, '0')}`) =>
  sendHop(app, '', { serviceCode, phoneNumber, sessionId: `s-${++phones}` });
const [clinic, shop] = ['*384*1#', '*384*2#'];
const tooMany = { status: 429, text: 'END Too many requests. Please try again later.' };

describe('the limit of a tenant', () => {
  it('is a number of hops per second, separate from another tenant', async () => {
    const app = await open('hopsPerSecond: 3');
    const replies = await Promise.all(Array.from({ length: 10 }, () => dial(app, clinic)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(replies.at(-1)).toMatchObject(tooMany);
    const others = await Promise.all(Array.from({ length: 20 }, () => dial(app, shop)));
    expect(others.every(({ text }) => text.includes('Duka'))).toBe(true);
    const metrics = (await app.inject('/metrics')).body;
    expect(metrics).toMatch(/^ussd_service_hops_total\{ussd_service="clinic",outcome="limited".*\} 7$/m);
    expect(metrics).toMatch(/^ussd_service_hops_total\{ussd_service="shop",outcome="answered".*\} 20$/m);
  });

  it('is a number of concurrent hops, also slow ones, which do not delay another tenant', async () => {
    class SlowForOne extends MemorySessionStore {
      freed: () => void = () => {};
      readonly #whenFreed = new Promise<void>((resolve) => {
        this.freed = resolve;
      });
      override async hold(key: SessionKey, ...rest: [number, string?]) {
        if (key.aggregator.endsWith('/clinic')) await this.#whenFreed;
        return super.hold(key, ...rest);
      }
    }
    const store = new SlowForOne();
    const app = await open('atOnce: 2', { store });
    const waiting = [dial(app, clinic), dial(app, clinic)];
    expect(await dial(app, shop)).toMatchObject({ status: 200 });
    expect(await dial(app, clinic)).toMatchObject(tooMany);
    store.freed();
    for (const { text } of await Promise.all(waiting)) expect(text).toContain('Afya');
    expect((await dial(app, clinic)).text).toContain('Afya');
  });

  it('is a number of sessions, and existing ones continue', async () => {
    const app = await open('sessions: 1');
    const caller = { serviceCode: clinic, phoneNumber: '+254711990001', sessionId: 'first' };
    expect((await sendHop(app, '', caller)).text).toContain('Afya');
    expect(await dial(app, clinic)).toMatchObject(tooMany);
    expect((await sendHop(app, '1', caller)).text).toContain('Information');
    expect((await dial(app, shop)).text).toContain('Duka');
  });

  it('is a number of hops per phone and minute, separate from another tenant', async () => {
    const app = await open('hopsPerMinute: 2');
    const phone = '+254711990002';
    const texts = async (code: string) =>
      [await dial(app, code, phone), await dial(app, code, phone), await dial(app, code, phone)].map(
        ({ status }) => status,
      );
    expect(await texts(clinic)).toEqual([200, 200, 429]);
    expect(await texts(shop)).toEqual([200, 200, 200]);
    expect((await dial(app, clinic)).status).toBe(200);
  });
});
