import { readdirSync, readFileSync } from 'node:fs';
import { fireEvent, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fr, sw } from '../src/ui.js';
import { until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { openGate } from './service.fixture.js';
import { openOracle } from './ui-page.fixture.js';
import { newUser } from './user.fixture.js';

const screen = within(document.body);
const texts = (testId: string) => screen.queryAllByTestId(testId).map(({ textContent }) => textContent);

function sendText(message: string): void {
  const field = screen.getByLabelText('Message');
  fireEvent.change(field, { target: { value: message } });
  fireEvent.keyDown(field, { key: 'Enter' });
}

it('a first message begins a session, and its answer is shown', async () => {
  openOracle();
  expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true);
  sendText(scripted('hello there'));
  expect(texts('human-text')).toEqual([scripted('hello there')]);
  await until(() => expect(texts('ai-text')).toEqual(['hello there']));
  await until(() => expect(texts('status')).toEqual(['ready']));
  expect(screen.getByRole('article', { name: 'Oracle' }).textContent).toContain('hello there');
});

it('the send button stops a running answer, which is then marked as stopped', async () => {
  openOracle();
  sendText(scripted('half', { wait: 'ui-stop' }, ' whole'));
  await until(() => expect(texts('ai-text')).toEqual(['half']));
  expect(screen.queryByRole('button', { name: 'Send' })).toBe(null);
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await until(() => expect(screen.getByText('Stopped')).toBeDefined());
  expect(screen.queryByRole('button', { name: 'Stop' })).toBe(null);
  await openGate('ui-stop');
});

it('a first message stopped before its session exists is not sent, until it is sent again', async () => {
  openOracle();
  sendText(scripted('hello'));
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(screen.getByText('Not sent')).toBeDefined();
  await until(() => expect(texts('socket')).toEqual(['Not connected']));
  expect(texts('ai-text')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await until(() => expect(texts('ai-text')).toEqual(['hello']));
  expect(texts('human-text')).toEqual([scripted('hello')]);
});

it('an answer stopped before its first text is marked as missing', async () => {
  openOracle();
  sendText(scripted('one'));
  await until(() => expect(texts('ai-text')).toEqual(['one']));
  await until(() => expect(texts('status')).toEqual(['ready']));
  sendText(scripted({ wait: 'ui-none' }, 'late'));
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await until(() => expect(screen.getByText('Not answered')).toBeDefined());
  await openGate('ui-none');
  sendText(scripted('three'));
  await until(() => expect(texts('ai-text')).toEqual(['one', 'three']));
  expect(screen.getAllByText('Not answered')).toHaveLength(1);
});

it('an answer is announced once, at its end, as plain text', async () => {
  openOracle();
  expect(screen.getByRole('log', { name: 'Messages' }).getAttribute('aria-live')).toBe('off');
  const said = screen.getByTestId('announcement');
  const heard: (string | null)[] = [];
  const watch = new MutationObserver(() => heard.push(said.textContent));
  watch.observe(said, { childList: true, characterData: true, subtree: true });
  sendText(scripted('**half**', { wait: 'ui-announced' }, ' whole'));
  await until(() => expect(texts('ai-text')).toEqual(['half']));
  expect(heard).toEqual([]);
  await openGate('ui-announced');
  await until(() => expect(heard).toEqual(['Oracle: half whole']));
  watch.disconnect();
});

it('an edited message has versions, with navigation between them', async () => {
  openOracle();
  sendText(scripted('one'));
  await until(() => expect(texts('ai-text')).toEqual(['one']));
  await until(() => expect(texts('status')).toEqual(['ready']));
  fireEvent.keyDown(screen.getByLabelText('Message'), { key: 'ArrowUp' });
  const field = screen.getByLabelText('Edit message');
  fireEvent.change(field, { target: { value: scripted('two') } });
  fireEvent.click(screen.getByRole('button', { name: 'Update' }));
  await until(() => expect(texts('ai-text')).toEqual(['two']));
  await until(() => expect(screen.getByText('2/2')).toBeDefined());
  fireEvent.click(screen.getByRole('button', { name: 'Previous version' }));
  await until(() => expect(texts('ai-text')).toEqual(['one']));
});

it('a message that cannot be sent stays, with Retry and Edit', async () => {
  const user = newUser();
  const page = openOracle({ overrides: { baseUrl: 'http://127.0.0.1:1' } }, user);
  const failing = scripted('from the void');
  sendText(failing);
  await until(() => expect(screen.getByText('Not sent')).toBeDefined());
  expect(texts('human-text')).toEqual([failing]);
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Edit' })).toBeDefined();
  // The page is loaded again, and the oracle is back.
  page.unmount();
  openOracle({}, user);
  expect(texts('human-text')).toEqual([failing]);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await until(() => expect(texts('ai-text')).toEqual(['from the void']));
  expect(texts('human-text')).toEqual([failing]);
  await until(() => expect(localStorage.getItem('mlango unsent')).toBe('[]'));
});

it('scrolling up stops automatic scrolling; a button or sending resumes it', async () => {
  openOracle();
  sendText(scripted('hello there'));
  await until(() => expect(texts('ai-text')).toEqual(['hello there']));
  await until(() => expect(texts('status')).toEqual(['ready']));
  const box = screen.getByRole('log', { name: 'Messages' });
  Object.defineProperties(box, { scrollHeight: { value: 1_000 }, clientHeight: { value: 200 } });
  const scrollTo = (top: number) => {
    box.scrollTop = top;
    fireEvent.scroll(box);
  };
  scrollTo(800);
  expect(screen.queryByRole('button', { name: 'Jump to latest' })).toBe(null);
  scrollTo(300);
  fireEvent.click(screen.getByRole('button', { name: 'Jump to latest' }));
  expect(box.scrollTop).toBe(1_000);
  scrollTo(300);
  sendText('hello');
  expect(box.scrollTop).toBe(1_000);
  expect(screen.queryByRole('button', { name: 'Jump to latest' })).toBe(null);
});

it.each([sw, fr])('supports $language', (words) => {
  openOracle({ words });
  expect(screen.getByLabelText(words.composer.message).getAttribute('placeholder')).toBe(words.composer.placeholder);
  expect(screen.getByText(words.status.ready)).toBeDefined();
});

it('has colours if a bundler has replaced light-dark', () => {
  const theme = readFileSync(new URL('../src/ui/theme.css', import.meta.url), 'utf8');
  expect(theme.slice(0, theme.indexOf('}'))).toMatch(/color-scheme: light dark;/);
});

it('renders formulas with the page’s renderer', async () => {
  openOracle({ math: (tex) => <i>{`formula ${tex}`}</i> });
  sendText(scripted('Area: $a^2$'));
  await until(() => expect(texts('ai-text')).toEqual(['Area: formula a^2']));
});

it('is not loaded with the main entry', () => {
  const entry = readFileSync(new URL('../src/oracle-client.ts', import.meta.url), 'utf8');
  expect(entry).not.toMatch(/\.\/ui[/.]/);
});

it('has no physical left or right: right-to-left texts are laid out from the right', () => {
  const sided =
    /(?<![\w-])(left|right|(margin|padding|border)-(left|right)[\w-]*|border-(top|bottom)-(left|right)-radius|(text-align|float|clear):\s*(left|right))(?=[\s:;])/;
  const files = readdirSync(new URL('../src/ui', import.meta.url), { recursive: true, encoding: 'utf8' });
  const sheets = files.filter((file) => file.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(5);
  expect(
    sheets.filter((file) => sided.test(readFileSync(new URL(`../src/ui/${file}`, import.meta.url), 'utf8'))),
  ).toEqual([]);
});

it('has no CSS rule that applies outside of it', () => {
  const sheet = readFileSync(new URL('../src/ui.css', import.meta.url), 'utf8');
  const files = [...sheet.matchAll(/@import "(.+)" layer\(mlango\);/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const css = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    const selectors = [...css.matchAll(/(?:^|[{}])\s*([^{}@;]+)\{/g)].map(([, one = '']) => one.trim());
    const own = selectors.filter((one) => !/^(from|to|\d+%)/.test(one)).flatMap((one) => one.split(/,(?![^(]*\))/));
    expect(own.filter((one) => !one.includes('.mlango'))).toEqual([]);
  }
});
