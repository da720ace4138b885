import { type UIMessage, useChat } from '@ai-sdk/react';
import { act, renderHook } from '@testing-library/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { describe, expect, it } from 'vitest';
import { until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, openGate, oracleDid } from './service.fixture.js';
import { newUser } from './user.fixture.js';

type Someone = ReturnType<typeof newUser>;

const headersOf = async ({ createInvocation }: Someone) => ({
  authorization: `Bearer ${(await createInvocation(oracleDid)).serialized}`,
  'x-auth-type': 'ucan',
});

/** A page with the published hook, unmodified. */
function chatOf(user: Someone, id: string = crypto.randomUUID(), messages: UIMessage[] = [], resume = false) {
  const transport = new DefaultChatTransport({ api: `${baseUrl}/api/chat`, headers: () => headersOf(user) });
  const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses;
  const { result, unmount } = renderHook(() => useChat({ id, transport, messages, resume, sendAutomaticallyWhen }));
  const sendText = (text: string, messageId?: string) =>
    act(() => result.current.sendMessage({ text, ...(messageId === undefined ? {} : { messageId }) }));
  const kept = async () => {
    const reply = await fetch(`${baseUrl}/messages/${id}`, { headers: await headersOf(user) });
    return ((await reply.json()) as { messages: { content: string }[] }).messages.map(({ content }) => content);
  };
  return { id, chat: result, unmount, sendText, kept };
}
const textOf = ({ parts }: UIMessage) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
const texts = ({ chat }: ReturnType<typeof chatOf>) => chat.current.messages.map(textOf);
const callOf = ({ chat }: ReturnType<typeof chatOf>) =>
  chat.current.messages.at(-1)?.parts.find((part) => part.type === 'dynamic-tool');
const pay = 'use the tool wire_money with {"kes":5}';

describe('useChat of the AI SDK', () => {
  it('regenerates and edits the last message and earlier ones, as stored in the session', async () => {
    const page = chatOf(newUser());
    const [one, two, three] = [scripted('One.'), scripted('Two.'), scripted('Three.')];
    await page.sendText(one);
    await page.sendText(two);
    const [, first, , second] = page.chat.current.messages;
    await act(() => page.chat.current.regenerate());
    expect(texts(page)).toEqual([one, 'One.', two, 'Two.']);
    expect(page.chat.current.messages[3]?.id).not.toBe(second?.id);
    expect(await page.kept()).toEqual(texts(page));
    await page.sendText(three, page.chat.current.messages[2]?.id);
    expect(texts(page)).toEqual([one, 'One.', three, 'Three.']);
    expect(await page.kept()).toEqual(texts(page));
    await act(() => page.chat.current.regenerate({ messageId: first?.id ?? '' }));
    expect(texts(page)).toEqual([one, 'One.']);
    expect(await page.kept()).toEqual(texts(page));
    await page.sendText(two, page.chat.current.messages[0]?.id);
    expect(texts(page)).toEqual([two, 'Two.']);
    expect(await page.kept()).toEqual(texts(page));
    await page.sendText(three);
    expect(await page.kept()).toEqual([two, 'Two.', three, 'Three.']);
  });

  it('requests an approval and continues the same answer after it', async () => {
    const page = chatOf(newUser());
    await page.sendText(pay);
    expect(callOf(page)).toMatchObject({ toolName: 'wire_money', input: { kes: 5 }, state: 'approval-requested' });
    const id = (callOf(page) as { approval?: { id: string } }).approval?.id ?? '';
    await act(async () => page.chat.current.addToolApprovalResponse({ id, approved: true }));
    await until(() => expect(callOf(page)).toMatchObject({ state: 'output-available', output: { paid: 5 } }));
    await until(() => expect(page.chat.current.status).toBe('ready'));
    expect(page.chat.current.messages).toHaveLength(2);
    expect(texts(page)).toEqual(await page.kept());
  });

  it('continues a pending approval after a reload and passes on a denial', async () => {
    const user = newUser();
    const before = chatOf(user);
    await before.sendText(pay);
    const shown = before.chat.current.messages;
    before.unmount();
    const page = chatOf(user, before.id, shown);
    const id = (callOf(page) as { approval?: { id: string } }).approval?.id ?? '';
    await act(async () => page.chat.current.addToolApprovalResponse({ id, approved: false, reason: 'Too much.' }));
    await until(() => expect(callOf(page)).toMatchObject({ state: 'output-error' }));
    await until(() => expect(page.chat.current.status).toBe('ready'));
    expect(texts(page)).toEqual(await page.kept());
  });

  it('stops reading, and resumes after a reload from the beginning', async () => {
    const user = newUser();
    const before = chatOf(user);
    let sent: Promise<void> | undefined;
    act(() => {
      sent = before.chat.current.sendMessage({ text: scripted('Half ', { wait: before.id }, 'and whole') });
    });
    await until(() => expect(texts(before)[1]).toBe('Half '));
    await act(() => before.chat.current.stop());
    await sent;
    const messages = before.chat.current.messages.slice(0, 1);
    before.unmount();
    const page = chatOf(user, before.id, messages, true);
    await until(() => expect(texts(page)[1]).toBe('Half '));
    await openGate(before.id);
    await until(() => expect(texts(page)[1]).toBe('Half and whole'));
    await until(() => expect(page.chat.current.status).toBe('ready'));
    expect(await page.kept()).toEqual(texts(page));
  });

  it('shows an error, and no data of another user', async () => {
    const page = chatOf(newUser());
    await page.sendText('x'.repeat(32_001));
    await until(() => expect(page.chat.current.error?.message).toContain('32000'));
    await page.sendText(pay);
    const foreign = chatOf(newUser(), page.id, page.chat.current.messages, true);
    await until(() => expect(foreign.chat.current.status).toBe('ready'));
    const id = (callOf(foreign) as { approval?: { id: string } }).approval?.id ?? '';
    await act(async () => foreign.chat.current.addToolApprovalResponse({ id, approved: true }));
    await until(() => expect(foreign.chat.current.error?.message).toContain('404'));
    const storedRecords = await page.kept();
    // A chat id of another user creates a new chat of this user.
    await foreign.sendText('say: mine');
    await until(() => expect(texts(foreign).at(-1)).toBe('mine'));
    expect([await foreign.kept(), await page.kept()]).toEqual([[], storedRecords]);
    expect(callOf(page)).toMatchObject({ state: 'approval-requested' });
  });
});
