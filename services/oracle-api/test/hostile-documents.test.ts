import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSse } from '../src/runs/log/parse-sse.fixture.js';
import { at } from './bank-with-approvals.fixture.js';
import { type HostileDocument, hostileDocuments, textOf } from './hostile-document.fixture.js';
import { hostileWorld } from './hostile-world.fixture.js';
import type { EndpointRequest } from './obedient-endpoint.fixture.js';

/** Unquoted text. A quotation begins with a line that is a mark, and ends with the same line. */
function unquoted(text: string): string {
  const lines = text.split('\n');
  const answers: string[] = [];
  for (let line = 0; line < lines.length; line++) {
    const mark = /^outside-[0-9a-f]{24}$/.exec(lines[line] ?? '')?.[0];
    const end = mark === undefined ? -1 : lines.indexOf(mark, line + 1);
    if (end === -1) answers.push(lines[line] ?? '');
    else line = end;
  }
  return answers.join('\n');
}

/** All text of a request that is not quoted, and so counts as the service's own. */
function ownWords({ messages, tools }: EndpointRequest): string {
  const inputTexts = messages
    .filter(({ role }) => role !== 'assistant')
    .map(({ role, content }) => [role, content ?? ''] as const);
  return [
    ...inputTexts.map(([role, content]) => (role === 'system' ? content : unquoted(content))),
    ...tools.map(
      ({ function: { name, description, parameters } }) => name + unquoted(description) + JSON.stringify(parameters),
    ),
  ].join('\n');
}

/** All text of the conversation that a model reads. */
const shown = ({ messages }: EndpointRequest) => messages.map(({ content }) => content).join('\n');

describe('a document with instructions for the model', () => {
  let world: Awaited<ReturnType<typeof hostileWorld>>;
  let me: ReturnType<typeof at>;
  beforeAll(async () => {
    world = await hostileWorld();
    me = at(world.oracle, world.user);
  });
  afterAll(() => world?.close());

  /** Delivers the document in a session. Returns the frames of the answer. */
  async function comes(document: HostileDocument, session: string) {
    const { payload, reads } = world.bringing(document);
    const { sign, asks } = document;
    if (document.by === 'memory') {
      world.state.orders = {
        sign: '',
        reads: { tool: 'remember', args: { content: textOf(document), kind: 'fact' } },
        asks: [],
        notes: '',
      };
      await world.send(await world.user.openSession(), {});
    }
    if (document.by === 'summary') {
      world.state.orders = { sign, reads, asks: [], notes: textOf(document) };
      await world.send(session, payload);
      for (let turn = 0; turn < 9; turn++) await world.send(session, { message: `${turn} ${'so '.repeat(1_500)}` });
      expect(world.state.requests.at(-1)?.messages.flatMap(({ tool_calls: calls = [] }) => calls)).toEqual([]);
    }
    world.state.orders = { sign, reads: document.by === 'summary' ? undefined : reads, asks, notes: textOf(document) };
    return parseSse(await world.send(session, payload));
  }

  it.each(hostileDocuments.map((document) => [document.name, document] as const))(
    'has no effect and stays in its quotation: %s',
    async (_name, document) => {
      world.state.requests.length = 0;
      const session = await world.user.openSession();
      const frames = await comes(document, session);
      // The document has arrived, and the model has obeyed it.
      expect(JSON.stringify(world.state.requests)).toContain(document.sign);
      const waiting = await me.waiting();
      const real = frames
        .filter(({ event }) => event === 'approval_request')
        .map(({ data }) => JSON.parse(data).toolCallId);
      expect(new Set(real)).toEqual(new Set(waiting.map(({ toolCallId }) => toolCallId)));
      expect(waiting.length).toBeGreaterThan(0);
      expect(world.done).toEqual([]);
      for (const call of waiting) expect((await me.settle({ decision: 'deny' }, call)).code).toBe(200);
      await me.ended(session);
      // Later turns have it in their history, and the model obeys it again.
      await world.send(session, { message: 'And now?' });
      expect((await me.request('POST', '/messages/abort', { sessionId: session })).code).toBe(200);
      expect(await me.waiting()).toEqual([]);
      expect(world.done).toEqual([]);

      for (const request of world.state.requests) {
        expect(ownWords(request)).not.toContain(document.sign);
        if (document.hidden !== undefined) expect(shown(request)).not.toContain(document.hidden);
      }
    },
  );

  it('leaves no approval rule and no instruction', async () => {
    expect((await me.request('GET', '/approvals/always')).body).toEqual({ rules: [] });
    expect((await me.request('GET', '/user-preferences')).body).toBeNull();
    expect(hostileDocuments.length).toBeGreaterThanOrEqual(40);
  });
});
