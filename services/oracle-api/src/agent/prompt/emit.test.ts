import { describe, expect, it } from 'vitest';
import { localModel } from '../../models/local/local-model.js';
import type { FrontendCall } from '../loop/turn-tool.js';
import { Turn } from '../turn.js';
import type { TurnEvent } from '../turn-events.js';
import { type TurnEmit, turnEmit } from './emit.js';

const ids = { sessionId: 's-1', requestId: 'req-1' };
const timestamp = '1970-01-01T00:00:00.000Z';

/** A plugin's emitter, and the events that followers receive. */
function setUp() {
  const told: TurnEvent[] = [];
  const asked: FrontendCall[] = [];
  const refused: [string, readonly string[]][] = [];
  const model = localModel({ paceMs: 0 });
  const emit = turnEmit({
    turn: new Turn({ ...ids, ownerDid: 'did:key:asha', message: 'hi', isFollowed: true, model }, 'run-1'),
    events: { publish: (event) => void told.push(event), room: async () => undefined },
    frontend: {
      call: async (_run, call) => {
        asked.push(call);
        return { ok: true, result: 1 };
      },
    },
    isOver: () => false,
    now: () => new Date(0),
    newId: () => 'minted',
    onMisshapen: (event, fields) => void refused.push([event, fields]),
  });
  return { told, asked, refused, emit };
}

/** As called by an untyped plugin. */
const untyped = (emit: TurnEmit) => emit as unknown as Record<keyof TurnEmit, (data: unknown) => Promise<unknown>>;

describe('events of a plugin', () => {
  it('belong to its own turn, for any session, request and time given', async () => {
    const { told, emit } = setUp();
    const foreign = { sessionId: 'theirs', requestId: 'theirs', timestamp: 'never' };
    const plugin = untyped(emit);
    await plugin.router({ ...foreign, step: 'on' });
    await plugin.reasoning({ ...foreign, reasoning: 'hm', isComplete: true });
    await plugin.toolCall({ ...foreign, toolName: 't', args: {}, status: 'done', eventId: 'e' });
    await plugin.renderComponent({ ...foreign, componentName: 'Chart' });
    await plugin.actionCall({ ...foreign, toolName: 'pay', args: {} });
    expect(told.map(({ data }) => data)).toEqual([
      { ...ids, step: 'on' },
      { ...ids, reasoning: 'hm', isComplete: true, timestamp },
      { ...ids, toolName: 't', args: {}, status: 'done', eventId: 'e' },
      { ...ids, componentName: 'Chart', at: 0 },
      { ...ids, toolCallId: 'minted', toolName: 'pay', args: {}, status: 'isRunning' },
      { ...ids, toolCallId: 'minted', toolName: 'pay', args: {}, status: 'done', output: '1' },
    ]);
  });

  it('that do not match the wire schema are dropped, and the plugin continues', async () => {
    const { told, asked, refused, emit } = setUp();
    const plugin = untyped(emit);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await plugin.router({ step: 5 });
    await plugin.router(undefined);
    await plugin.reasoning({ reasoning: 'hm' });
    await plugin.toolCall({ toolName: 't', args: [], status: 'maybe', eventId: 'e' });
    await plugin.renderComponent({ componentName: 'Chart', args: circle });
    await plugin.renderComponent({ componentName: 'Chart', args: { amount: 1n } });
    const noForm = { ok: false, error: expect.any(String) };
    expect(await plugin.browserToolCall({ toolName: 7, args: {} })).toEqual(noForm);
    expect(await plugin.actionCall({ toolName: 'pay', args: circle })).toEqual(noForm);
    expect(await plugin.actionCall(undefined)).toEqual(noForm);
    expect([told, asked]).toEqual([[], []]);
    expect(refused.slice(0, 4)).toEqual([
      ['router_update', ['step']],
      ['router_update', ['step']],
      ['reasoning', ['isComplete']],
      ['tool_call', ['args', 'status']],
    ]);
    expect(refused).toHaveLength(9);
  });

  it('contain only the fields of the wire schema, as of the time of the call', async () => {
    const { told, emit } = setUp();
    const points = [1, 2];
    await untyped(emit).renderComponent({ componentName: 'Chart', args: { points }, secret: 's' });
    points.push(3);
    expect(told).toEqual([
      { event: 'render_component', data: { ...ids, componentName: 'Chart', args: { points: [1, 2] }, at: 0 } },
    ]);
  });
});
