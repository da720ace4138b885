/** The chat of the AI SDK's `useChat`, with its state in plain fields. */
export default async function features(sdk) {
  const ai = await import(sdk);
  const { AbstractChat, DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } = ai;

  class PlainState {
    status = 'ready';
    error;
    messages = [];
    #waiting = [];
    pushMessage = (message) => this.#set(() => this.messages.push(message));
    popMessage = () => this.#set(() => this.messages.pop());
    replaceMessage = (at, message) => this.#set(() => this.messages.splice(at, 1, message));
    snapshot = (value) => structuredClone(value);
    #set(change) {
      change();
      for (const look of this.#waiting) look();
    }
    /** Resolves once the answer has this text. */
    until = (text) =>
      new Promise((resolve) => {
        const look = () => textOf(this.messages.at(-1)) === text && resolve();
        this.#waiting.push(look);
        look();
      });
  }
  class PlainChat extends AbstractChat {}

  const textOf = (message) => (message?.parts ?? []).map(({ type, text }) => (type === 'text' ? text : '')).join('');
  const headersOf = ({ token }) => ({ authorization: `Bearer ${token}`, 'x-auth-type': 'ucan' });
  const open = (place, { messages = [], transport = {}, ...options } = {}) => {
    const state = Object.assign(new PlainState(), { messages });
    const id = place.session;
    const chat = new PlainChat({
      id,
      state,
      onError: () => undefined,
      ...options,
      transport: new DefaultChatTransport({ api: `${place.url}/api/chat`, headers: headersOf(place), ...transport }),
    });
    return { chat, state };
  };
  const post = (place, path, body) =>
    fetch(`${place.url}${path}`, {
      method: 'POST',
      headers: { ...headersOf(place), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    async stream(place) {
      const { chat, state } = open(place);
      const sent = chat.sendMessage({ text: 'hold' });
      await state.until('Well, ');
      await place.checkpoint('Well, ');
      await sent;
      return { text: textOf(chat.messages.at(-1)) };
    },
    async tools(place) {
      const { chat } = open(place);
      await chat.sendMessage({ text: 'remember that I like tea' });
      const { parts } = chat.messages.at(-1);
      const called = parts.filter(({ type }) => type === 'dynamic-tool').map(({ toolName }) => toolName);
      return { text: textOf(chat.messages.at(-1)), called };
    },
    async files(place) {
      const { chat } = open(place);
      const files = [{ type: 'file', mediaType: 'image/png', filename: 'dot.png', url: place.picture }];
      await chat.sendMessage({ text: 'Look', files });
      if (chat.error) throw chat.error;
    },
    async stop(place) {
      const { chat, state } = open(place);
      const sent = chat.sendMessage({ text: 'hold' });
      await state.until('Well, ');
      await post(place, '/messages/abort', { sessionId: place.session });
      await sent;
      return { ended: chat.error ? `error: ${chat.error.message}` : chat.status };
    },
    async resume(place) {
      const first = open(place);
      const sent = first.chat.sendMessage({ text: 'hold' });
      await first.state.until('Well, ');
      await first.chat.stop();
      await sent;
      const { chat, state } = open(place, { messages: first.chat.messages.slice(0, 1) });
      const resumed = chat.resumeStream();
      await state.until('Well, ');
      await place.checkpoint('broken');
      await resumed;
      return { text: textOf(chat.messages.at(-1)) };
    },
    async approval(place) {
      const text = 'use the tool pay with {"amount": 5}';
      // The SDK has no approvals before version 6: a page shows the data part, and decides by the oracle's own route.
      if (lastAssistantMessageIsCompleteWithApprovalResponses === undefined) {
        const { chat } = open(place, { transport: { api: `${place.url}/api/chat?sdk=5` } });
        await chat.sendMessage({ text });
        if (chat.error) throw chat.error;
        const { metadata, parts } = chat.messages.at(-1);
        const { data } = parts.find(({ type }) => type === 'data-approval');
        const path = `/runs/${metadata.runId}/approvals/${data.toolCallId}`;
        await post(place, path, { decision: 'allow' });
        return { text: path };
      }
      const { chat } = open(place, { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses });
      await chat.sendMessage({ text });
      if (chat.error) throw chat.error;
      const part = chat.messages.at(-1).parts.find(({ state }) => state === 'approval-requested');
      await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
      if (chat.error) throw chat.error;
      return { text: textOf(chat.messages.at(-1)) };
    },
    async limit(place) {
      const { chat } = open(place);
      await chat.sendMessage({ text: 'hi' });
      await chat.sendMessage({ text: 'hi' });
      return { message: chat.error?.message };
    },
  };
}
