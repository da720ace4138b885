import type { HttpApp } from '@mlango/service-kit/http-app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, jsonOf, screens } from '../../../test/support/aggregator-calls.js';
import { openTestApp } from '../../../test/support/test-app.js';
import { hubtelReply } from './aggregator.js';

let app: HttpApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => app.close());

const caller = {
  Mobile: '233200585542',
  SessionId: '3c796dac28174f739de4262d08409c51',
  ServiceCode: '713',
  Operator: 'vodafone',
  ClientState: '',
};
const url = '/api/ussd/hubtel';
const post = async (json: Record<string, unknown>) =>
  hubtelReply.parse(jsonOf(await call(app, { url, json: { ...caller, ...json } })));
const dial = (Message = '*713#') => post({ Type: 'Initiation', Message, Sequence: 1 });
const press = (Message: string, Sequence: number) => post({ Type: 'Response', Message, Sequence });

describe('Hubtel', () => {
  it('plays a dialogue with the last input only as message', async () => {
    expect(await dial()).toEqual({
      SessionId: caller.SessionId,
      Type: 'response',
      Message: screens.welcome,
      Label: 'Welcome to Mlango',
      DataType: 'input',
      FieldType: 'text',
      ClientState: '',
    });
    expect((await press('1', 2)).Message).toBe(screens.information);
    expect((await press('2', 3)).Message).toContain('0. Back');
    expect((await press('0', 4)).Message).toBe(screens.information);
    expect(await press('*', 5)).toMatchObject({ Type: 'release', Message: screens.goodbye, DataType: 'display' });
  });

  it('reads a repeated key with the next number as a new input, and with the same number as a retry', async () => {
    await dial();
    expect((await press('1', 2)).Message).toBe(screens.information);
    expect((await press('1', 2)).Message).toBe(screens.information);
    const topic = await press('1', 3);
    expect(topic.Message).not.toBe(screens.information);
    expect(await press('1', 2)).toEqual(topic);
    expect((await press('1', 4)).Message).toBe(screens.welcome);
  });

  it('returns one reply, with one effect, to twenty concurrent deliveries of one input', async () => {
    await dial();
    const replies = await Promise.all(Array.from({ length: 20 }, () => press('1', 2)));
    expect(new Set(replies.map(({ Message }) => Message))).toEqual(new Set([screens.information]));
  });

  it('returns the current screen to a late delivery of the dial', async () => {
    await dial();
    await press('1', 2);
    expect((await dial()).Message).toBe(screens.information);
  });

  it('replays a shortcut dialled behind the code, through menus', async () => {
    expect((await dial('*713*1*2#')).Message).toContain('1. Back to Main Menu');
  });

  it.each(['Release', 'Timeout'])('closes the session on %s', async (Type) => {
    await dial();
    expect(await post({ Type, Message: '', Sequence: 2 })).toMatchObject({ Type: 'release', Message: '' });
    expect((await app.inject('/api/ussd/sessions')).json()).toEqual({ activeSessions: [], count: 0 });
    expect(await press('1', 3)).toMatchObject({ Type: 'release', Message: screens.expired });
  });

  it('reads a null as an absent field', async () => {
    const nulls = { Sequence: null, Operator: null };
    expect((await post({ ...nulls, Type: 'Initiation', Message: null, ServiceCode: '713' })).Message).toBe(
      screens.welcome,
    );
    const press = { ...nulls, Type: 'Response', Message: '1', ServiceCode: null };
    expect((await post(press)).Message).toBe(screens.information);
    expect((await post(press)).Message).toContain('1. Back to Main Menu');
  });

  describe('from the app, the mall and points of sale', () => {
    const id = '0F1E2D3C4B5A69788796A5B4C3D2E1F0';
    const channel = { ServiceCode: id, Message: '', Operator: 'Hubtel-Android', Sequence: null };

    it('is served by the code that AGGREGATOR_HUBTEL_SERVICE_IDS has for the service id', async () => {
      await app.close();
      const env = { AGGREGATOR_HUBTEL_SERVICE_IDS: `${id}=*713#`, SERVICE_CODES: '*713#' };
      app = await openTestApp({ env });
      expect((await post({ ...channel, Type: 'Initiation' })).Message).toBe(screens.welcome);
      expect((await post({ ...channel, Type: 'Response', Message: '1' })).Message).toBe(screens.information);
      expect(await post({ ...channel, Type: 'Release' })).toMatchObject({ Type: 'release', Message: '' });
    });

    it('is refused for a service id without a code, and the log names the setting once for each id', async () => {
      await app.close();
      const lines: string[] = [];
      app = await openTestApp({ log: (line) => lines.push(line) });
      for (const _ of [1, 2])
        expect(await post({ ...channel, Type: 'Initiation' })).toMatchObject({
          Type: 'release',
          Message: screens.invalid,
        });
      const warned = lines.filter((line) => String(JSON.parse(line).msg).startsWith("Hubtel's service id"));
      expect(warned).toHaveLength(1);
      expect(warned[0]).toContain(`add ${id.toLowerCase()}=*<code># to AGGREGATOR_HUBTEL_SERVICE_IDS`);
    });
  });

  it('closes a session, for any other content of the request', async () => {
    await dial();
    const odd = { Message: { a: 1 }, Sequence: 'x', ServiceCode: 'none' };
    expect(await post({ Type: 'Timeout', ...odd })).toMatchObject({ Type: 'release', Message: '' });
    expect((await app.inject('/api/ussd/sessions')).json()).toEqual({ activeSessions: [], count: 0 });
  });

  it('answers an input of an unknown session with a request to dial again, not as an entry of the main menu', async () => {
    expect(await press('1', 4)).toMatchObject({ Type: 'release', Message: screens.expired });
  });

  it('accepts numbers as texts', async () => {
    await post({ Type: 'Initiation', Message: '*713#', Sequence: '1', Mobile: 233200585542 });
    expect((await post({ Type: 'Response', Message: 1, Sequence: 2 })).Message).toBe(screens.information);
  });

  it.each([
    ['an unknown type', { Type: 'Other', Message: '1' }],
    ['no type', { Message: '1' }],
    ['an invalid number', { Type: 'Response', Message: '1', Mobile: '0200585542' }],
    ['a message of 183 characters', { Type: 'Response', Message: '1'.repeat(183) }],
    ['an object as message', { Type: 'Response', Message: { a: 1 } }],
    ['an invalid sequence number', { Type: 'Response', Message: '1', Sequence: 'x' }],
  ])('answers %s in JSON, and the session does not change', async (_name, change) => {
    await dial();
    expect(await post(change)).toMatchObject({
      SessionId: caller.SessionId,
      Type: 'release',
      Message: screens.invalid,
    });
    expect((await press('1', 2)).Message).toBe(screens.information);
  });
});
