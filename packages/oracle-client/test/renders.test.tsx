import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type IChat, type IChatOptions, useAgAction, useChat } from '../src/oracle-client.js';
import { newSession, openedChat, until } from './chat-page.fixture.js';
import { network } from './network.fixture.js';
import { type Script, scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, openGate, oracleDid } from './service.fixture.js';
import { lineOf, newUser, pageOf } from './user.fixture.js';

/** A screen that draws on demand; `null` is a background tab. */
const screen = { frame: 0, waiting: new Map<number, () => void>(), isDrawing: true };
const stock = { request: globalThis.requestAnimationFrame, cancel: globalThis.cancelAnimationFrame };
let timer: ReturnType<typeof setInterval>;

beforeEach(() => {
  let last = 0;
  screen.isDrawing = true;
  globalThis.requestAnimationFrame = (draw) => {
    screen.waiting.set(++last, () => draw(performance.now()));
    return last;
  };
  globalThis.cancelAnimationFrame = (id) => void screen.waiting.delete(id);
  timer = setInterval(() => {
    if (!screen.isDrawing) return;
    screen.frame++;
    const drawing = [...screen.waiting.values()];
    screen.waiting.clear();
    for (const draw of drawing) draw();
  }, 16);
});
afterEach(() => {
  clearInterval(timer);
  globalThis.requestAnimationFrame = stock.request;
  globalThis.cancelAnimationFrame = stock.cancel;
});

interface Render {
  readonly frame: number;
  readonly ids: readonly string[];
  readonly text: string;
}

/** A page with everything written inline, which counts its renders. */
async function countingPage(options: Partial<IChatOptions> = {}) {
  const user = newUser();
  const sessionId = await newSession(user);
  const renders: Render[] = [];
  const chat: { current: IChat | undefined } = { current: undefined };
  function Chat() {
    const shown = useChat({
      oracleDid,
      sessionId,
      onPaymentRequiredError: () => undefined,
      overrides: { baseUrl },
      uiComponents: { Card: () => <b>card</b> },
      browserTools: { plot: { toolName: 'plot', description: 'Draws', schema: z.object({}), fn: () => 1 } },
      ...options,
    });
    useAgAction({
      name: 'pay',
      description: 'Pays',
      parameters: z.object({}),
      handler: () => 1,
      render: () => <i>paid</i>,
    });
    chat.current = shown;
    const ids = shown.messages.map(({ id }) => id);
    renders.push({ frame: screen.frame, ids, text: shown.messages.map(lineOf)[1] ?? '' });
    return null;
  }
  const Page = pageOf(user);
  const { unmount } = render(
    <Page>
      <Chat />
    </Page>,
  );
  await until(() => expect(chat.current?.isRealTimeConnected).toBe(true));
  await until(() => expect(chat.current?.isLoading).toBe(false));
  return { chat: chat as { current: IChat }, renders, sessionId, unmount };
}

/** A thousand pieces of text in ten bursts. */
function longScript(sessionId: string): Script {
  const burst = Array.from({ length: 100 }, (_, index) => `${index} `);
  return Array.from({ length: 10 }, (_, index) => [{ wait: `${sessionId}-${index}` }, ...burst]).flat();
}

async function stream(page: Pick<Awaited<ReturnType<typeof countingPage>>, 'chat' | 'renders' | 'sessionId'>) {
  const { chat, sessionId } = page;
  const script = longScript(sessionId);
  const whole = script.filter((step) => typeof step === 'string').join('');
  act(() => chat.current.sendMessage(scripted(...script)));
  await until(() => expect(chat.current.run).toBeDefined());
  for (let burst = 0; burst < 10; burst++) await openGate(`${sessionId}-${burst}`);
  await until(() => expect(chat.current.status).toBe('ready'));
  expect(chat.current.messages.map(lineOf)[1]).toBe(`ai: ${whole}`);
  return script.length - 10;
}

describe('a component that shows a chat', () => {
  it('is rendered a few times until it is connected, even if all of its options are new each time', async () => {
    const { renders } = await countingPage();
    expect(renders.length).toBeLessThan(12);
  });

  it('is rendered at most once for each frame of the screen while an answer streams, in batched mode', async () => {
    const page = await countingPage();
    page.renders.length = 0;
    const pieces = await stream(page);
    const grown = page.renders.filter(({ text }, index) => text !== page.renders[index - 1]?.text);
    const frames = new Set(grown.map(({ frame }) => frame));
    expect(frames.size).toBe(grown.length);
    expect(grown.length).toBeLessThan(pieces / 10);
  });

  it('never shortens an answer, and never removes or moves a message when it is stored', async () => {
    const { chat, renders, sessionId } = await countingPage();
    await stream({ chat, renders, sessionId });
    await act(() => chat.current.refetchMessages());
    for (const [index, { ids, text }] of renders.entries()) {
      const before = renders[index - 1] ?? { ids: [], text: '' };
      expect(ids.slice(0, before.ids.length)).toEqual(before.ids);
      expect(text.startsWith(before.text)).toBe(true);
    }
    expect(renders.at(-1)?.ids).toHaveLength(2);
  });

  it('is rendered without waiting for a frame in immediate mode', async () => {
    const page = await countingPage({ streamingMode: 'immediate' });
    screen.isDrawing = false;
    page.renders.length = 0;
    await stream(page);
    expect(screen.waiting.size).toBe(0);
  });

  it('continues in a background tab, which draws no frames', async () => {
    const page = await countingPage();
    screen.isDrawing = false;
    await stream(page);
  });
});

describe('strict mode', () => {
  it('shows each message once, over one socket', async () => {
    const user = newUser();
    const sessionId = await newSession(user);
    const between = await network(baseUrl);
    const overrides = { baseUrl, wsUrl: between.baseUrl };
    const { chat, unmount } = await openedChat(user, sessionId, { isStrict: true, overrides });
    act(() => chat.current.sendMessage(scripted('Hello')));
    await until(() => expect(chat.current).toMatchObject({ status: 'ready', run: { status: 'finished' } }));
    expect(chat.current.messages.map(lineOf)[1]).toBe('ai: Hello');
    expect(chat.current.messages).toHaveLength(2);
    expect(between.connections()).toBe(1);
    unmount();
    await until(() => expect(between.connections()).toBe(0));
    await between.close();
  });
});
