import { describe, expect, it } from 'vitest';
import type { HopReply } from '../wire/send.js';
import { type Handset, handsetAfter, newHandset, nextHop } from './handset.js';

const counter = () => {
  let count = 0;
  return () => `id-${++count}`;
};

const reply = (body: string, status = 200): HopReply => ({ status, body, tookMs: 1, requestBytes: 1, replyBytes: 1 });

/** Types, sends, and applies the answer. */
function hop(handset: Handset, typed: string, answer: HopReply, newId: () => string): Handset {
  const ready = handsetAfter(handset, { type: 'typed', text: typed });
  const next = nextHop(ready, newId, 'canonical');
  if (next === undefined) throw new Error('nothing to send');
  const waiting = handsetAfter(ready, { type: 'sent', hop: next });
  return handsetAfter(waiting, { type: 'answered', id: next.id, reply: answer });
}

describe('a phone', () => {
  it('accumulates inputs in one session and closes it with END', () => {
    const newId = counter();
    let phone = hop(newHandset('+254711000001', '*2233#'), '*2233#', reply('CON Welcome'), newId);
    phone = hop(phone, '2', reply('CON Account'), newId);
    phone = hop(phone, 'Asha M', reply('END Bye'), newId);
    const requests = phone.hops.map(({ request }) => JSON.parse(request.body ?? '')).reverse();
    expect(requests.map(({ text }) => text)).toEqual(['', '2', '2*Asha M']);
    expect(new Set(requests.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(phone).toMatchObject({ phase: 'closed', message: 'Bye', typed: '*2233#' });
    expect(phone.session).toBeUndefined();
  });

  it('dials in a new session after the old one is over', () => {
    const newId = counter();
    let phone = hop(newHandset('+254711000001', '*1#'), '*1#', reply('END Bye'), newId);
    const first = phone.hops[0]?.session.id;
    phone = hop(phone, '*1#', reply('CON Again'), newId);
    expect(phone.hops[0]?.session.id).not.toBe(first);
  });

  it('sends nothing while a reply is pending, and dials nothing without a code', () => {
    const newId = counter();
    const phone = newHandset('+254711000001', '*1#');
    const next = nextHop(phone, newId, 'canonical');
    if (next === undefined) throw new Error('nothing to send');
    expect(nextHop(handsetAfter(phone, { type: 'sent', hop: next }), newId, 'canonical')).toBeUndefined();
    expect(nextHop(handsetAfter(phone, { type: 'typed', text: ' ' }), newId, 'canonical')).toBeUndefined();
  });

  it('does not show a response after a hang-up', () => {
    const newId = counter();
    const phone = newHandset('+254711000001', '*1#');
    const next = nextHop(phone, newId, 'canonical');
    if (next === undefined) throw new Error('nothing to send');
    const gone = handsetAfter(handsetAfter(phone, { type: 'sent', hop: next }), { type: 'cancelled', why: 'hung up' });
    const late = handsetAfter(gone, { type: 'answered', id: next.id, reply: reply('CON Welcome') });
    expect(late).toMatchObject({ phase: 'closed', message: 'You hung up.' });
    expect(late.hops[0]?.reply?.body).toBe('CON Welcome');
  });

  it('loses its session when the gateway returns no screen', () => {
    const phone = hop(newHandset('+254711000001', '*1#'), '*1#', reply('', 0), counter());
    expect(phone).toMatchObject({ phase: 'closed', message: 'Connection problem or invalid MMI code.' });
  });

  it('records the screens that were seen while recording is on only', () => {
    const newId = counter();
    let phone = hop(newHandset('+254711000001', '*1#'), '*1#', reply('END Before'), newId);
    phone = handsetAfter(phone, { type: 'records', on: true });
    phone = hop(phone, '*1#', reply('CON Welcome'), newId);
    phone = hop(phone, '7', reply('', 0), newId);
    phone = hop(phone, '*1#', reply('END Bye'), newId);
    expect(phone.recorded).toEqual([
      { typed: '*1#', dials: true, message: 'Welcome', closes: false },
      { typed: '*1#', dials: true, message: 'Bye', closes: true },
    ]);
    expect(handsetAfter(phone, { type: 'records', on: false }).recorded).toBeUndefined();
  });
});
