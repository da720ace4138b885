import { fireEvent, render, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Approval, Card, sw, ToolCall, UiRoot } from '../src/ui.js';
import { until } from './chat-page.fixture.js';
import { openOracle } from './ui-page.fixture.js';
import { newUser } from './user.fixture.js';

const screen = within(document.body);

function sendText(message: string): void {
  const field = screen.getByLabelText('Message');
  fireEvent.change(field, { target: { value: message } });
  fireEvent.keyDown(field, { key: 'Enter' });
}

describe('a call that waits for approval', () => {
  it('shows the request at once, and continues with edited arguments', async () => {
    openOracle();
    sendText('use the tool wire_money with {"kes":5}');
    await until(() => expect(screen.getByRole('alert').textContent).toBe('Pay KES 5'));
    const approval = within(screen.getByRole('region', { name: 'Pay KES 5' }));
    expect(approval.getByText('kes').nextSibling?.textContent).toBe('5');
    fireEvent.click(approval.getByRole('button', { name: 'Edit arguments' }));
    fireEvent.change(approval.getByLabelText('kes'), { target: { value: 'three' } });
    const allow = approval.getByRole('button', { name: 'Allow with edits' });
    expect(approval.getByText('A value here cannot be read. Check numbers and JSON.')).toBeDefined();
    expect(allow.hasAttribute('disabled')).toBe(true);
    fireEvent.change(approval.getByLabelText('kes'), { target: { value: '3' } });
    fireEvent.click(allow);
    await until(() => expect(screen.getByText('Done')).toBeDefined());
    expect(screen.queryByRole('region', { name: /Pay KES/ })).toBe(null);
    expect(screen.getByText('wire_money').closest('details')?.textContent).toContain('paid3');
  });

  it('can be edited as JSON too, without loss in both directions', async () => {
    openOracle();
    sendText('use the tool wire_money with {"kes":6}');
    await until(() => expect(screen.getByRole('region', { name: 'Pay KES 6' })).toBeDefined());
    fireEvent.click(screen.getByRole('button', { name: 'Edit arguments' }));
    fireEvent.change(screen.getByLabelText('kes'), { target: { value: '4' } });
    fireEvent.click(screen.getByRole('button', { name: 'Edit as JSON' }));
    const json = screen.getByRole('textbox', { name: 'Edited arguments' }) as HTMLTextAreaElement;
    expect(JSON.parse(json.value)).toEqual({ kes: 4 });
    fireEvent.change(json, { target: { value: '[5]' } });
    expect(screen.getByText('This is not a JSON object. Check the brackets and quotes.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Allow with edits' }).hasAttribute('disabled')).toBe(true);
    fireEvent.change(json, { target: { value: '{"kes":2}' } });
    fireEvent.click(screen.getByRole('button', { name: 'Edit as fields' }));
    expect((screen.getByLabelText('kes') as HTMLInputElement).value).toBe('2');
    fireEvent.click(screen.getByRole('button', { name: 'Allow with edits' }));
    await until(() => expect(screen.getByText('wire_money').closest('details')?.textContent).toContain('paid2'));
  });

  it('has a field for each argument by its type', () => {
    const args = { to: 'Zuri', kes: 5, isGift: true, notes: ['a'] };
    const changed: unknown[] = [];
    const approval = { runId: 'r', toolCallId: 'c', toolName: 'pay', plugin: 'bank', args, title: 'Pay', reason: '' };
    render(
      <UiRoot>
        <Approval
          approval={{ ...approval, expiresAt: '2030-01-01T00:00:00Z' }}
          onSettle={async (_, decision) => void changed.push(decision.changed)}
        />
      </UiRoot>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Edit arguments' }));
    fireEvent.change(screen.getByLabelText('to'), { target: { value: 'Baraka' } });
    fireEvent.click(screen.getByLabelText('isGift'));
    fireEvent.change(screen.getByLabelText('notes'), { target: { value: '["b", 1]' } });
    fireEvent.click(screen.getByRole('button', { name: 'Allow with edits' }));
    expect(changed).toEqual([{ to: 'Baraka', kes: 5, isGift: false, notes: ['b', 1] }]);
  });

  it('is denied with a reason, and shown as failed', async () => {
    openOracle();
    sendText('use the tool wire_money with {"kes":7}');
    await until(() => expect(screen.getByRole('region', { name: 'Pay KES 7' })).toBeDefined());
    fireEvent.change(screen.getByLabelText('Reason (optional, shared with the oracle)'), {
      target: { value: 'Too much.' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Deny' }));
    await until(() => expect(screen.queryByRole('region', { name: 'Pay KES 7' })).toBe(null));
    await until(() => expect(screen.getByRole('log').textContent).toContain('Too much.'));
  });

  it('is shown on another device of the user, and in their language', async () => {
    const user = newUser();
    const begun: string[] = [];
    openOracle({ onSessionChange: (id) => begun.push(id) }, user);
    sendText('use the tool wire_money with {"kes":9}');
    await until(() => expect(screen.getByRole('region', { name: 'Pay KES 9' })).toBeDefined());
    openOracle({ sessionId: begun[0], words: sw }, user);
    await until(() => expect(screen.getByRole('button', { name: 'Ruhusu' })).toBeDefined());
    fireEvent.click(screen.getByRole('button', { name: 'Ruhusu' }));
    await until(() => expect(screen.queryAllByRole('region', { name: 'Pay KES 9' })).toEqual([]));
  });
});

describe('a call of a tool without a view in the page', () => {
  const shown = (call: Parameters<typeof ToolCall>[0]) =>
    render(
      <UiRoot>
        <ToolCall toolName="clock" {...call} />
      </UiRoot>,
    ).container.textContent;

  it('shows status, arguments and result', () => {
    expect(shown({ status: 'isRunning', args: { zone: 'Africa/Nairobi' } })).toBe(
      'clockRunningArgumentszoneAfrica/Nairobi',
    );
    expect(shown({ status: 'done', output: '{"hour":12,"of":["a"]}' })).toBe('clockDoneResulthour12of[\n  "a"\n]');
    expect(shown({ status: 'done', output: 'noon' })).toBe('clockDoneResultnoon');
    expect(shown({ status: 'done', error: 'It has stopped' })).toBe('clockFailedIt has stopped');
    expect(shown({ status: 'error' })).toBe('clockFailed');
    expect(shown({ status: 'error', error: 'The connection was lost', isUncertain: true })).toBe(
      'clockOutcome unknownThe connection was lost',
    );
  });
});

describe('a card', () => {
  const shown = (card: Omit<Parameters<typeof Card>[0], 'title'>) =>
    render(
      <UiRoot>
        <Card title="Nairobi" {...card} />
      </UiRoot>,
    ).container;

  it('has a title, values and actions', () => {
    const card = shown({ badge: 'dry', values: { degrees: 24 }, children: 'Sunny', actions: <a href="#x">More</a> });
    expect(card.textContent).toBe('Nairobidrydegrees24SunnyMore');
    expect(screen.getByRole('region', { name: 'Nairobi' })).toBeDefined();
  });

  it('shows that its call is running or failed', () => {
    expect(shown({ status: 'isRunning' }).textContent).toBe('NairobiRunning');
    expect(shown({ status: 'done' }).textContent).toBe('Nairobi');
    expect(shown({ status: 'error', error: 'No such city' }).textContent).toBe('NairobiFailedNo such city');
  });
});
