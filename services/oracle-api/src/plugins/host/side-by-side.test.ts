import { expect, it, vi } from 'vitest';
import { createTestOracle } from '../../create-test-oracle.js';
import { parseSse } from '../../runs/log/parse-sse.fixture.js';
import { oracleWith } from '../api/oracle-with.fixture.js';
import { testPlugin } from '../api/plugin.fixture.js';
import type { RuntimeContext } from '../api/runtime-context.js';

const never = new Promise<never>(() => undefined);

it('shared states are computed in parallel, each after its dependencies, with access to earlier states', async () => {
  let arrived = 0;
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  /** Resolves once all three have been called: sequential calls would never resolve. */
  const meeting = (name: string) => async () => {
    arrived += 1;
    if (arrived === 3) meet();
    await met;
    return name;
  };
  const seen: Record<string, unknown> = {};
  const watch = (name: string) => (context: RuntimeContext) => {
    seen[name] = context.shared;
    return [];
  };
  const one = testPlugin('one', { getSharedState: meeting('1') });
  const two = testPlugin('two', { getSharedState: meeting('2') });
  const three = testPlugin('three', { getSharedState: meeting('3'), getRequestTools: watch('three') });
  const after = testPlugin('after', {
    dependsOn: ['two'],
    softDependsOn: ['absent'],
    getSharedState: ({ shared }) => shared,
    getRequestTools: watch('after'),
  });
  const { app, say, statusOf } = await oracleWith([one, two, three, after]);
  expect(await say('hello')).toContain('Hello');
  expect(seen).toEqual({ three: { one: '1', two: '2' }, after: { one: '1', two: '2', three: '3' } });
  expect(statusOf('one')?.failures).toBe(0);
  await app.close();
});

it('a stopped turn does not wait for a hanging plugin that ignores its signal', async () => {
  const asked: string[] = [];
  const hanging = ['one', 'two'].map((name) =>
    testPlugin(name, {
      getSharedState: () => {
        asked.push(name);
        return never;
      },
      getRequestTools: () => never,
    }),
  );
  const oracle = await createTestOracle({ plugins: hanging });
  const user = await oracle.newUser();
  const sessionId = await user.openSession();
  const post = (url: string, payload: object) => oracle.inject({ method: 'POST', url, headers: user.headers, payload });
  const sent = post(`/messages/${sessionId}`, { message: 'hello', stream: true });
  await vi.waitFor(() => expect(asked).toEqual(['one', 'two']));
  const stoppedMs = performance.now();
  expect((await post('/messages/abort', { sessionId })).json()).toEqual({ success: true });
  expect(parseSse((await sent).body).map(({ event }) => event)).toEqual(['run', 'done']);
  // The time limit of a hook is ten seconds.
  expect(performance.now() - stoppedMs).toBeLessThan(5_000);
  await oracle.close();
});
