import { renderMessageContent, useAgAction, useChat } from '@mlango/oracle-client';
import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { browserTools } from './browser-tools.js';
import type { Oracle } from './oracle.js';
import { WeatherCard } from './weather-card.js';

const colorSchema = z.object({ color: z.enum(['white', 'lightyellow', 'lightblue']) });

/** One conversation. */
export function Chat({ oracleDid, baseUrl, sessionId }: Oracle & { readonly sessionId: string }) {
  const [text, setText] = useState('');
  const chat = useChat({
    oracleDid,
    sessionId,
    overrides: { baseUrl },
    browserTools,
    uiComponents: { weather: WeatherCard },
    onPaymentRequiredError: (claimIds) => window.alert(`To be paid first: ${claimIds.join(', ')}`),
  });

  useAgAction({
    name: 'set_background',
    description: 'Sets the background color of the page.',
    parameters: colorSchema,
    handler: ({ color }) => {
      document.body.style.background = color;
      return { success: true };
    },
    render: ({ status, args }) => (status === 'done' ? <em>The page is {args.color} now.</em> : null),
  });

  function send(event: FormEvent) {
    event.preventDefault();
    chat.sendMessage(text);
    setText('');
  }

  return (
    <>
      <ol aria-live="polite">
        {chat.messages.map(({ id, type, content }) => (
          <li key={id}>
            <strong>{type === 'human' ? 'You' : 'Oracle'}</strong> {renderMessageContent(content)}
          </li>
        ))}
      </ol>
      {chat.error === undefined ? null : <p role="alert">{chat.error.message}</p>}
      <form onSubmit={send}>
        <input aria-label="Message" required value={text} onChange={(event) => setText(event.target.value)} />
        {chat.isSending ? (
          <button type="button" onClick={() => void chat.abortStream()}>
            Stop
          </button>
        ) : (
          <button type="submit" disabled={!chat.isConfigReady}>
            Send
          </button>
        )}
      </form>
    </>
  );
}
