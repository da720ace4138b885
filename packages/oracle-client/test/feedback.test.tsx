import { fireEvent, renderHook, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useFeedback } from '../src/oracle-client.js';
import { until } from './chat-page.fixture.js';
import { plainServer } from './plain-server.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, oracleDid } from './service.fixture.js';
import { openOracle } from './ui-page.fixture.js';
import { newUser, pageOf } from './user.fixture.js';

const screen = within(document.body);
const thumb = (name: string) => screen.getByLabelText(name);
const isPressed = (name: string) => thumb(name).getAttribute('aria-pressed') === 'true';

async function sendText(words: string): Promise<void> {
  const field = screen.getByLabelText('Message');
  fireEvent.change(field, { target: { value: scripted(words) } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await until(() => expect(screen.getByTestId('status').textContent).toBe('ready'));
  await until(() => expect(screen.getByTestId('ai-text').textContent).toBe(words));
}

describe('feedback on an answer', () => {
  it('is a thumb with reasons and a comment, survives a reload, and can be removed', async () => {
    const user = newUser();
    const chosen: string[] = [];
    const first = openOracle({ onSessionChange: (id) => chosen.push(id) }, user);
    await sendText('Zuri is a cow');
    await until(() => expect(isPressed('Bad answer')).toBe(false));
    fireEvent.click(thumb('Bad answer'));
    await until(() => expect(isPressed('Bad answer')).toBe(true));
    const form = within(screen.getByLabelText('What was wrong?'));
    expect(form.getByText<HTMLButtonElement>('Send').disabled).toBe(true);
    fireEvent.click(form.getByText('Not correct'));
    const comment = form.getByLabelText('Comment (optional)');
    fireEvent.change(comment, { target: { value: ' Zuri is a goat ' } });
    fireEvent.keyDown(comment, { key: 'Enter' });
    await until(() => expect(screen.queryByLabelText('What was wrong?')).toBe(null));
    expect(screen.getByText('Thank you').getAttribute('role')).toBe('status');
    expect(document.activeElement).toBe(thumb('Bad answer'));
    first.unmount();

    const token = await user.createInvocation(oracleDid);
    const headers = { authorization: `Bearer ${token.serialized}`, 'x-auth-type': 'ucan' };
    const kept = async () =>
      (await (await fetch(`${baseUrl}/sessions/${chosen[0]}/feedback`, { headers })).json()) as object;
    const why = { reasons: ['incorrect'], comment: 'Zuri is a goat' };
    expect(await kept()).toMatchObject({ feedback: [{ rating: 'down', ...why }] });
    openOracle({ sessionId: chosen[0] }, user);
    await until(() => expect(isPressed('Bad answer')).toBe(true));
    fireEvent.click(thumb('Good answer'));
    await until(() => expect([isPressed('Good answer'), isPressed('Bad answer')]).toEqual([true, false]));
    expect(screen.queryByLabelText('What was wrong?')).toBe(null);
    await until(() => expect(screen.getByText('Thank you')).toBeDefined());
    fireEvent.click(thumb('Good answer'));
    await until(() => expect(screen.getByText('Taken back')).toBeDefined());
    expect(await kept()).toEqual({ feedback: [] });
  });

  it('is hidden if the oracle has no feedback route, which is requested once', async () => {
    const server = await plainServer(baseUrl);
    const overrides = { baseUrl: server.baseUrl };
    const { result, rerender } = renderHook((sessionId: string) => useFeedback(oracleDid, sessionId, overrides), {
      wrapper: pageOf(newUser()),
      initialProps: 'one',
    });
    await until(() => expect(server.requested).toEqual(['GET /sessions/one/feedback']));
    await until(() => expect(result.current.isKnown).toBe(true));
    rerender('two');
    await until(() => expect(result.current.isKnown).toBe(true));
    expect(result.current.byMessage).toBeUndefined();
    expect(server.requested).toHaveLength(1);
    await server.close();
  });
});
