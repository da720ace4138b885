import { render } from '@testing-library/react';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { type IMessageComponent, renderMessageContent, type UiComponents, uiComponent } from '../src/oracle-client.js';
import { newUser, pageOf } from './user.fixture.js';

const args = z.object({ city: z.string(), days: z.number().default(1) });
const weather = uiComponent({ args, output: z.object({ degrees: z.number() }) }, (call) => {
  expectTypeOf(call.args).toEqualTypeOf<{ city: string; days: number }>();
  expectTypeOf(call.output).toEqualTypeOf<{ degrees: number } | undefined>();
  expectTypeOf(call.isLoading).toEqualTypeOf<boolean>();
  // @ts-expect-error: the schema has no such argument
  void call.args.town;
  return <b>{`${call.args.city} ${call.args.days} ${call.output?.degrees ?? '…'} ${call.error ?? ''}`}</b>;
});

const part = (more: Partial<IMessageComponent>): IMessageComponent => ({
  kind: 'tool_call',
  name: 'weather',
  id: '1',
  sessionId: 's',
  args: { city: 'Kisumu' },
  status: 'done',
  ...more,
});
function shown(more: Partial<IMessageComponent>, uiComponents: UiComponents = { weather }): string | null {
  return render(<p>{renderMessageContent([part(more)], uiComponents)}</p>, { wrapper: pageOf(newUser()) }).container
    .textContent;
}

describe('a component with a schema', () => {
  it('gets parsed arguments and output, for calls and rendered components', () => {
    expect(shown({ output: '{"degrees":21}' })).toBe('Kisumu 1 21 ');
    expect(shown({ status: 'isRunning' })).toBe('Kisumu 1 … ');
    expect(shown({ kind: 'render_component', args: { city: 'Nakuru', days: 3 } })).toBe('Nakuru 3 … ');
    expect(shown({ status: 'error', error: 'no such city' })).toBe('Kisumu 1 … no such city');
  });

  it('leaves invalid properties to the fallback', () => {
    const ToolCall = ({ args: given }: { args: unknown }) => <i>{JSON.stringify(given)}</i>;
    expect(shown({ args: { city: 7 } }, { weather, ToolCall })).toBe('{"city":7}');
    expect(shown({ output: '{"degrees":"warm"}' }, { weather, ToolCall })).toBe('{"city":"Kisumu"}');
    expect(shown({ args: { city: 7 } })).toBe('');
  });

  it('accepts JSON Schema too, which checks nothing', () => {
    const plain = uiComponent({ args: { type: 'object' } }, (call) => {
      expectTypeOf(call.args).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return <b>{String(call.args['city'])}</b>;
    });
    expect(shown({}, { weather: plain })).toBe('Kisumu');
  });
});
