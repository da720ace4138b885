import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useChat, useRunRecords } from '../src/oracle-client.js';
import { newSession, until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { newUser, pageOf } from './user.fixture.js';

it('records the runs of a chat: message, events with times, and tokens', async () => {
  const user = newUser();
  const place = { oracleDid, sessionId: await newSession(user), overrides: { baseUrl } };
  const { result } = renderHook(
    () => ({ chat: useChat({ ...place, onPaymentRequiredError: () => undefined }), records: useRunRecords(place) }),
    { wrapper: pageOf(user) },
  );
  await until(() => expect(result.current.chat.isRealTimeConnected).toBe(true));
  expect(result.current.records).toEqual([]);
  const message = scripted({ think: 'A card.' }, 'Look: ', { call: 'show_card', args: { title: 'Mlango' } }, 'there.');
  act(() => result.current.chat.sendMessage(message));
  await until(() => expect(result.current.chat.run?.status).toBe('finished'));

  const [record, ...others] = result.current.records;
  expect(others).toEqual([]);
  expect(record).toMatchObject({ requestId: result.current.chat.run?.requestId, message });
  const { moments = [] } = record ?? {};
  const of = <Kind extends string>(kind: Kind) => moments.filter(({ event }) => event.kind === kind);
  expect(of('run')[0]?.event).toMatchObject({ runId: result.current.chat.run?.runId });
  expect(of('reasoning')[0]?.event).toMatchObject({ text: 'A card.' });
  expect(
    of('text')
      .map(({ event }) => ('text' in event ? event.text : ''))
      .join(''),
  ).toBe('Look: there.');
  const calls = of('component').map(({ event }) => (event.kind === 'component' ? event.component : undefined));
  expect(calls).toContainEqual(expect.objectContaining({ kind: 'tool_call', name: 'show_card', status: 'done' }));
  expect(calls).toContainEqual(expect.objectContaining({ kind: 'render_component', name: 'Card' }));
  const usage = { inputTokens: expect.any(Number), outputTokens: expect.any(Number), isEstimated: true };
  // Components arrive by the socket, and may arrive after the end of the stream.
  expect(of('done').map(({ event }) => event)).toEqual([{ kind: 'done', status: 'finished', model: 'local', usage }]);
  expect(result.current.chat.run).toMatchObject({ usage });
  const times = moments.map(({ atMs }) => atMs);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  // A record survives a round trip through a file.
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
});
