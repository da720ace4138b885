import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyDraft, growDraft } from './answer.js';
import type { LiveTurn } from './live-turn.js';
import type { IMessage } from './message.js';
import type { MessageRecord } from './message-record.js';
import { MessageView } from './message-view.js';

const human = (id: string, content: string): MessageRecord => ({ id, type: 'human', content });
const ai = (id: string, content: string): MessageRecord => ({ id, type: 'ai', content });
const draftOf = (text: string, isOver = false) => ({ ...emptyDraft, text, isOver });
const turn = (requestId: string, text: string, answer = '', change: Partial<LiveTurn> = {}): LiveTurn => ({
  requestId,
  phase: 'reading',
  sent: { id: `${requestId}~human`, text, createdAt: 'now' },
  draft: draftOf(answer),
  ...change,
});
const texts = (messages: readonly IMessage[]) =>
  messages.map(({ type, content }) => `${type}: ${typeof content === 'string' ? content : 'components'}`);

describe('the messages of a chat', () => {
  it('lists stored messages, then the current ones', () => {
    const view = new MessageView('s');
    const records = [human('h1', 'one'), ai('q1', 'first')];
    expect(texts(view.show(records, [turn('q2', 'two', 'sec')]))).toEqual([
      'human: one',
      'ai: first',
      'human: two',
      'ai: sec',
    ]);
  });

  it('keeps the position of messages that the oracle stored under its own ids', () => {
    const view = new MessageView('s');
    const coming = [turn('q1', 'same', 'first'), turn('q2', 'same', 'sec')];
    const before = view.show([], coming);
    const stored = [human('x1', 'same'), ai('q1', 'first'), human('x2', 'same')];
    const after = view.show(stored, coming);
    expect(texts(after)).toEqual(texts(before));
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('are not confused with an earlier message of the same text', () => {
    const view = new MessageView('s');
    const records = [human('x1', 'yes'), ai('q1', 'ok')];
    const shown = view.show(records, [turn('q2', 'yes', 'fine', { after: 'q1' })]);
    expect(texts(shown)).toEqual(['human: yes', 'ai: ok', 'human: yes', 'ai: fine']);
  });

  it('are the same objects and the same list while nothing changes', () => {
    const view = new MessageView('s');
    const records = [human('h1', 'one'), ai('q1', 'first')];
    const turns = [turn('q2', 'two', 'sec')];
    const first = view.show(records, turns);
    expect(view.show([...records], [...turns])).toBe(first);
    const grown = view.show(records, [turn('q2', 'two', 'second', { sent: turns[0]?.sent ?? never() })]);
    expect(grown.slice(0, 3)).toEqual(first.slice(0, 3));
    for (const index of [0, 1, 2]) expect(grown[index]).toBe(first[index]);
    expect(grown[3]).not.toBe(first[3]);
  });

  it('keeps the received order of an answer unless another answer was stored', () => {
    const view = new MessageView('s');
    const call = { kind: 'tool_call', name: 'plot', id: 'c1', sessionId: 's', args: {}, status: 'done' } as const;
    const draft = [
      { kind: 'text', text: 'Look: ' } as const,
      { kind: 'component', component: call, at: undefined } as const,
      { kind: 'text', text: 'there' } as const,
      { kind: 'done', status: 'finished' } as const,
    ].reduce((grown, event) => growDraft(grown, event), emptyDraft);
    const over = turn('q1', 'draw', '', { phase: 'over', draft });
    const stored = { ...ai('q1', 'Look: there'), toolCalls: [{ id: 'c1', name: 'plot', args: {} }] };
    const [, shown] = view.show([human('h1', 'draw'), stored], [over]);
    expect(shown?.content).toEqual(['Look: ', call, 'there']);
    const [, other] = view.show([human('h1', 'draw'), { ...stored, content: 'Never mind' }], [over]);
    expect(other?.content).toEqual([call, 'Never mind']);
    const [, loaded] = new MessageView('s').show([human('h1', 'draw'), stored], []);
    expect(loaded?.content).toEqual([call, 'Look: there']);
  });

  it('reads announced answers from the oracle', () => {
    const view = new MessageView('s');
    const heardOf = [
      { kind: 'tool_call', name: 'plot', id: 'c1', sessionId: 's', args: {}, status: 'isRunning' },
      { kind: 'render_component', name: 'Card', id: 'c2', sessionId: 's', args: {} },
    ] as const;
    const draft = heardOf
      .map((component) => ({ kind: 'component', component, at: undefined }) as const)
      .reduce((grown, event) => growDraft(grown, event, false), emptyDraft);
    const announced: LiveTurn = { requestId: 'q1', phase: 'announced', draft };
    expect(view.show([human('h1', 'draw')], [announced])[1]).toMatchObject({ content: heardOf, isComplete: false });
    const stored = { ...ai('q1', 'There'), toolCalls: [{ id: 'c1', name: 'plot', args: {}, output: '1' }] };
    const [, shown] = view.show([human('h1', 'draw'), stored], [announced]);
    expect(shown).toMatchObject({ content: [{ id: 'c1', status: 'done' }, 'There', { id: 'c2' }], isComplete: true });
  });

  it('shows each message once under a unique id, for any part already stored', () => {
    const said = fc.constantFrom('yes', 'no', 'a longer message');
    fc.assert(
      fc.property(
        fc.array(fc.record({ said, answer: said, hasOwnIds: fc.boolean() }), { maxLength: 8 }),
        fc.nat(16),
        (all, kept) => {
          const turns = all.map(({ said: text, answer }, index) =>
            turn(`q${index}`, text, answer, { phase: 'over', draft: draftOf(answer, true) }),
          );
          const records = all
            .flatMap(({ said: text, answer, hasOwnIds }, index) => [
              human(hasOwnIds ? `x${index}` : `q${index}~human`, text),
              ai(`q${index}`, answer),
            ])
            .slice(0, kept);
          const shown = new MessageView('s').show(records, turns);
          expect(texts(shown)).toEqual(all.flatMap(({ said: text, answer }) => [`human: ${text}`, `ai: ${answer}`]));
          expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
        },
      ),
    );
  });
});

function never(): never {
  throw new Error('there is such a turn');
}
