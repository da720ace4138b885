import { fireEvent, render, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import type { IApproval, IChat, IMessage } from '../src/oracle-client.js';
import {
  branchesOf,
  readToolCall,
  useApproval,
  useComposer,
  useConversation,
  useCopy,
  useEditing,
  useSessionList,
  useSessionSearch,
  useThread,
} from '../src/ui.js';
import { until } from './chat-page.fixture.js';
import { scripted } from './rehearsal-plugin.fixture.js';
import { baseUrl, openGate, oracleDid } from './service.fixture.js';
import { newUser, pageOf } from './user.fixture.js';

const screen = within(document.body);

/** A custom chat UI, built from the unstyled parts: it contains none of our elements, classes or styles. */
function OwnChat(): ReactElement {
  const { chat, sessions, sessionId, select, sought } = useConversation({ oracleDid, overrides: { baseUrl } });
  const { logProps, contentProps, messageProps, isAway, toLatest, announcement } = useThread({ chat, sought });
  const list = useSessionList({ sessions, sessionId, onSelect: select });
  const search = useSessionSearch(sessions.searchSessions);
  const { formProps, fieldProps, maySend, isSending, stop } = useComposer({ chat });
  return (
    <>
      <aside {...search.boxProps}>
        <input {...search.fieldProps} aria-label="Find" />
        {search.isOn && Array.isArray(search.found)
          ? search.found.map(({ sessionId: of, messageId, snippet }) => (
              <button key={messageId} type="button" onClick={() => select(of, messageId)}>
                {`Found ${snippet}`}
              </button>
            ))
          : null}
        <button type="button" onClick={list.begin}>
          Begin
        </button>
        {list.groups.flatMap(({ name, sessions: listed }) =>
          listed.map(({ sessionId: id, title, isCurrent, rename, remove }) => (
            <p key={id} data-current={isCurrent}>
              {`${name}: ${title}`}
              <button type="button" onClick={() => rename('Goats')}>
                Rename
              </button>
              <button type="button" onClick={remove}>
                Remove
              </button>
            </p>
          )),
        )}
      </aside>
      <div {...logProps}>
        <div {...contentProps}>
          {chat.messages.map((message) => (
            <article key={message.id} {...messageProps(message.id)}>
              <OwnMessage message={message} chat={chat} />
            </article>
          ))}
        </div>
      </div>
      <output>{announcement}</output>
      {isAway ? (
        <button type="button" onClick={toLatest}>
          Down
        </button>
      ) : null}
      {chat.approvals.map((approval) => (
        <OwnApproval key={approval.toolCallId} approval={approval} chat={chat} />
      ))}
      <form {...formProps}>
        <textarea {...fieldProps} />
        {isSending ? (
          <button type="button" onClick={stop}>
            Halt
          </button>
        ) : (
          <button type="submit" disabled={!maySend}>
            Go
          </button>
        )}
      </form>
    </>
  );
}

function OwnMessage({ message, chat }: { readonly message: IMessage; readonly chat: IChat }): ReactElement {
  const { id, type, content } = message;
  const parts = typeof content === 'string' ? [content] : content;
  const said = parts.filter((part) => typeof part === 'string').join('');
  const { fieldProps, formProps } = useEditing({
    text: said,
    onUpdate: (text) => chat.edit(id, text),
    onCancel: () => undefined,
  });
  const branches = branchesOf(message, chat.selectBranch);
  const { isCopied, copy } = useCopy(said);
  return (
    <>
      <span data-testid={type}>{said}</span>
      {parts.map((part) => {
        if (typeof part === 'string') return null;
        const call = readToolCall({ ...part, toolName: part.name });
        return <i key={part.id}>{`${call.name} ${call.outcome}`}</i>;
      })}
      {type === 'human' ? (
        <form {...formProps}>
          <textarea {...fieldProps} />
        </form>
      ) : null}
      {branches === undefined ? null : (
        <button type="button" onClick={branches.previous}>{`${branches.at} of ${branches.of}`}</button>
      )}
      <button type="button" onClick={copy}>
        {isCopied ? 'Has it' : 'Take'}
      </button>
    </>
  );
}

function OwnApproval({ approval, chat }: { readonly approval: IApproval; readonly chat: IChat }): ReactElement {
  const { allow, deny } = useApproval({ approval, onSettle: chat.settleApproval });
  return (
    <p role="alert">
      {approval.title}
      <button type="button" onClick={allow}>
        Yes
      </button>
      <button type="button" onClick={deny}>
        No
      </button>
    </p>
  );
}

const texts = (testId: string) => screen.queryAllByTestId(testId).map(({ textContent }) => textContent);

function sendText(message: string): void {
  const field = screen.getByLabelText('Message');
  fireEvent.change(field, { target: { value: message } });
  fireEvent.keyDown(field, { key: 'Enter' });
}

const open = () => render(<OwnChat />, { wrapper: pageOf(newUser()) });

it('a custom UI has the keys, the announcement, and the button to the newest message', async () => {
  const { container } = open();
  expect(screen.getByText('Go').hasAttribute('disabled')).toBe(true);
  sendText(scripted('half', { wait: 'own-look' }, ' whole'));
  await until(() => expect(texts('ai')).toEqual(['half']));
  fireEvent.keyDown(screen.getByLabelText('Message'), { key: 'Escape' });
  await until(() => expect(screen.getByText('Oracle: half Stopped')).toBeDefined());
  await openGate('own-look');
  const box = screen.getByRole('log', { name: 'Messages' });
  Object.defineProperties(box, { scrollHeight: { value: 1_000 }, clientHeight: { value: 200 } });
  for (const top of [800, 300]) {
    box.scrollTop = top;
    fireEvent.scroll(box);
  }
  fireEvent.click(screen.getByText('Down'));
  expect(box.scrollTop).toBe(1_000);
  expect(container.querySelector('[class]')).toBe(null);
});

it('a custom UI has edits, branches, calls and approvals', async () => {
  open();
  sendText(scripted('one'));
  await until(() => expect(texts('ai')).toEqual(['one']));
  const edited = screen.getByLabelText('Edit message');
  fireEvent.change(edited, { target: { value: scripted({ call: 'break_down', args: {} }, 'two') } });
  fireEvent.keyDown(edited, { key: 'Enter' });
  await until(() => expect(texts('ai')).toEqual(['two']));
  await until(() => expect(screen.getByText('break_down failed')).toBeDefined());
  fireEvent.click(await screen.findByText('2 of 2'));
  await until(() => expect(texts('ai')).toEqual(['one']));

  sendText('use the tool wire_money with {"kes":8}');
  await until(() => expect(screen.getByRole('alert').textContent).toContain('Pay KES 8'));
  fireEvent.click(screen.getByText('Yes'));
  await until(() => expect(screen.getByText('wire_money done')).toBeDefined());
});

it('a custom UI has its conversations: named, found and deleted', async () => {
  open();
  sendText(scripted('mangoes are ripe'));
  await until(() => expect(texts('ai')).toEqual(['mangoes are ripe']));
  await until(() => expect(screen.getAllByText(/^Today: /)).toHaveLength(1));
  fireEvent.click(screen.getByText('Rename'));
  await until(() => expect(screen.getByText(/Today: Goats/)).toBeDefined());
  fireEvent.click(screen.getByText('Begin'));
  expect(texts('ai')).toEqual([]);
  const find = screen.getByLabelText('Find');
  fireEvent.change(find, { target: { value: 'mangoes' } });
  const found = await screen.findAllByText(/^Found .*ripe/);
  find.focus();
  fireEvent.keyDown(find, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(found[0]);
  fireEvent.click(document.activeElement as HTMLElement);
  await until(() => expect(document.activeElement?.getAttribute('data-sought')).toBe('true'));
  fireEvent.click(screen.getByText('Remove'));
  await until(() => expect(screen.queryByText(/Today: /)).toBe(null));
});
