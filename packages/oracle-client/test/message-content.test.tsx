import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type IMessageComponent, renderMessageContent, useAgAction } from '../src/oracle-client.js';
import { newUser, pageOf } from './user.fixture.js';

const part = (more: Partial<IMessageComponent>): IMessageComponent => ({
  kind: 'render_component',
  name: 'Chart',
  id: '1',
  sessionId: 's',
  args: { title: 'Rain' },
  status: 'done',
  ...more,
});

function shown(node: ReactNode): string {
  return render(<p>{node}</p>, { wrapper: pageOf(newUser()) }).container.innerHTML;
}

it('renders text as text only', () => {
  const text = '<img src=x onerror=alert(1)> **bold** [link](javascript:alert(1))';
  const { container } = render(<p>{renderMessageContent(text)}</p>, { wrapper: pageOf(newUser()) });
  expect(container.textContent).toBe(text);
  expect(container.querySelectorAll('p *')).toHaveLength(0);
});

it('places components where they were received, with the agent’s properties', () => {
  const Chart = ({ title, isLoading }: { title: string; isLoading: boolean }) => <b>{`${title} ${isLoading}`}</b>;
  const content = ['Look: ', part({}), ' and ', part({ id: '2', args: { title: 'Sun' }, status: 'isRunning' })];
  expect(shown(renderMessageContent(content, { Chart }))).toBe('<p>Look: <b>Rain false</b> and <b>Sun true</b></p>');
});

it('renders calls and errors by name or by a fallback', () => {
  const ToolCall = ({ toolName, actionName }: { toolName?: string; actionName?: string }) => (
    <i>{toolName ?? actionName}</i>
  );
  const Failure = ({ error }: { error: string }) => <u>{error}</u>;
  const parts = [
    part({ kind: 'tool_call', name: 'get_weather' }),
    part({ kind: 'action_call', name: 'draw', id: '2' }),
    part({ kind: 'error', name: 'Error', id: '3', error: 'too much' }),
    part({ name: 'Unknown', id: '4' }),
    part({ kind: 'tool_call', name: 'constructor', id: '5' }),
  ];
  expect(shown(renderMessageContent(parts, { ToolCall, Error: Failure }))).toBe(
    '<p><i>get_weather</i><i>draw</i><u>too much</u><i>constructor</i></p>',
  );
  expect(shown(renderMessageContent(parts, {}))).toBe('<p></p>');
});

// After a reload the oracle lists an action among the calls of tools.
it.each(['action_call', 'tool_call'] as const)(
  'an action is rendered with its last result until it is unmounted: %s',
  (kind) => {
    const call = part({ kind, name: 'draw', args: { color: 'red' }, output: '{"ok":true}' });
    function Page({ size }: { size: number | undefined }) {
      return (
        <>
          {size === undefined ? null : <Draw size={size} />}
          <p>{renderMessageContent([call])}</p>
        </>
      );
    }
    function Draw({ size }: { size: number }) {
      useAgAction({
        name: 'draw',
        description: 'Draws.',
        parameters: z.object({ color: z.string() }),
        handler: () => ({ ok: true }),
        render: ({ status, args, result }) => <b>{`${args.color} ${size} ${status} ${JSON.stringify(result)}`}</b>,
      });
      return null;
    }
    const { container, rerender } = render(<Page size={1} />, { wrapper: pageOf(newUser()) });
    expect(container.textContent).toBe('red 1 done {"ok":true}');
    act(() => rerender(<Page size={2} />));
    expect(container.textContent).toBe('red 2 done {"ok":true}');
    act(() => rerender(<Page size={undefined} />));
    expect(container.textContent).toBe('');
  },
);
