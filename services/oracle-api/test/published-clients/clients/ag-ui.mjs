/** `HttpAgent` of AG-UI. */
export default async function features(name) {
  const { HttpAgent } = await import(name);
  // The client logs each failure to the console.
  console.error = () => undefined;
  const agentOf = ({ url, token, session }) =>
    new HttpAgent({ url: `${url}/ag-ui`, headers: { authorization: `Bearer ${token}` }, threadId: session });
  const send = async (agent, content, parameters = {}, subscriber = {}) => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
    const { newMessages } = await agent.runAgent(parameters, subscriber);
    return { text: textOf(newMessages), newMessages };
  };
  const textOf = (messages) =>
    messages.map(({ role, content }) => (role === 'assistant' ? (content ?? '') : '')).join('');
  const tools = [
    {
      name: 'zoom',
      description: 'Zooms the page',
      parameters: { type: 'object', properties: { by: { type: 'number' } } },
    },
  ];
  const post = ({ url, token }, path, body) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    async stream(place) {
      const first = {
        onTextMessageContentEvent: ({ event }) => event.delta === 'Well, ' && place.checkpoint('Well, '),
      };
      const { text } = await send(agentOf(place), 'hold', {}, first);
      return { text };
    },
    async tools(place) {
      const { text, newMessages } = await send(agentOf(place), 'remember that I like tea');
      return { text, called: newMessages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.function.name)) };
    },
    async pageTools(place) {
      const agent = agentOf(place);
      const { newMessages } = await send(agent, 'use the tool zoom with {"by": 2}', { tools });
      const [call] = newMessages.flatMap(({ toolCalls = [] }) => toolCalls);
      const content = `zoomed ${JSON.parse(call.function.arguments).by} times`;
      agent.addMessage({ id: 'result', role: 'tool', toolCallId: call.id, content });
      return { text: textOf((await agent.runAgent({ tools })).newMessages) };
    },
    async files(place) {
      const data = place.picture.split(',')[1];
      const content = [
        { type: 'text', text: 'Look' },
        { type: 'image', source: { type: 'data', value: data, mimeType: 'image/png' } },
      ];
      await send(agentOf(place), content);
    },
    async stop(place) {
      let ended;
      await send(
        agentOf(place),
        'hold',
        {},
        {
          onTextMessageContentEvent: () => post(place, '/messages/abort', { sessionId: place.session }),
          onRunFinishedEvent: ({ event }) => {
            ended = event.outcome?.type;
          },
          onRunErrorEvent: ({ event }) => {
            ended = event.code;
          },
        },
      ).catch(() => undefined);
      return { ended };
    },
    async resume(place) {
      const agent = agentOf(place);
      const stop = { onTextMessageContentEvent: () => agent.abortRun() };
      await send(agent, 'hold', { runId: 'run-1' }, stop).catch(() => undefined);
      await place.checkpoint('broken');
      const { text } = await send(agentOf(place), 'hold', { runId: 'run-1' });
      return { text };
    },
    async approval(place) {
      const agent = agentOf(place);
      let interrupts;
      const finished = {
        onRunFinishedEvent: ({ event }) => {
          interrupts = event.outcome?.interrupts;
        },
      };
      await send(agent, 'use the tool pay with {"amount": 5}', {}, finished);
      const payload = { decision: 'allow' };
      const resume = interrupts.map(({ id: interruptId }) => ({ interruptId, status: 'resolved', payload }));
      return { text: textOf((await agent.runAgent({ resume })).newMessages) };
    },
    async limit(place) {
      const agent = agentOf(place);
      await send(agent, 'hi');
      const error = await send(agent, 'hi').catch((reason) => reason);
      return { status: error.status, message: error.message };
    },
  };
}
