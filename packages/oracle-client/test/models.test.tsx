import { cleanup, fireEvent, within } from '@testing-library/react';
import { describe, expect, inject, it, vi } from 'vitest';
import { until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { openOracle } from './ui-page.fixture.js';
import { newUser } from './user.fixture.js';

const screen = within(document.body);

describe('the models of an oracle', () => {
  it('can be selected, and messages request the selected model, also after a reload', async () => {
    const { oracleDid, baseUrl } = inject('oracleWithModels');
    const user = newUser();
    const page = openOracle({ oracleDid, overrides: { baseUrl } }, user);
    const picker = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Model' });
    expect([...picker.options].map(({ text }) => text)).toEqual(['small', 'large']);
    expect(picker.value).toBe('small');
    const requests = vi.spyOn(globalThis, 'fetch');
    const requested = () =>
      requests.mock.calls.flatMap(([, init]) =>
        typeof init?.body === 'string' && init.body.includes('"message"') ? [init.body] : [],
      );
    fireEvent.change(picker, { target: { value: 'large' } });
    const field = screen.getByLabelText('Message');
    fireEvent.change(field, { target: { value: scripted('hello') } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await until(() => expect(screen.getByTestId('ai-text').textContent).toBe('hello'));
    expect(JSON.parse(requested()[0] ?? '{}')).toMatchObject({ model: 'large' });
    expect(picker.value).toBe('large');
    requests.mockRestore();
    page.unmount();
    openOracle({ oracleDid, overrides: { baseUrl } }, user);
    const again = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Model' });
    expect((await again()).value).toBe('large');
    cleanup();
    openOracle({ oracleDid, overrides: { baseUrl } });
    expect((await again()).value).toBe('small');
  });

  it('are hidden if there is one only', async () => {
    openOracle();
    await until(() => expect(screen.getByTestId('status').textContent).toBe('ready'));
    expect(screen.queryByRole('combobox')).toBe(null);
  });
});
