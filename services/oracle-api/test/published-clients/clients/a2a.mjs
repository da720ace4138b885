/** The A2A client over JSON-RPC. */
export default async function features(name) {
  const { SendMessageRequest, TaskState } = await import(name);
  const { ClientFactory, JsonRpcTransportFactory } = await import(`${name}/client`);
  const clientOf = ({ url, token }) => {
    const fetchImpl = (where, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetch(where, { ...init, headers });
    };
    return new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] }).createFromUrl(url);
  };
  const message = (parts, place = {}) =>
    SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, ...place },
    });
  const textOf = (task) => task.artifacts[0]?.parts[0]?.content?.value;
  const read = async (stream, onText = async () => undefined) => {
    let text = '';
    let state;
    for await (const { payload } of stream) {
      if (payload.$case === 'task') await onText('', payload.value);
      if (payload.$case === 'statusUpdate') state = payload.value.status.state;
      if (payload.$case !== 'artifactUpdate') continue;
      const delta = payload.value.artifact.parts[0].content.value;
      text = payload.value.append ? text + delta : delta;
      if ((await onText(text)) === 'leave') break;
    }
    return { text, state };
  };

  return {
    async stream(place) {
      const client = await clientOf(place);
      let isFirst = true;
      const { text } = await read(client.sendMessageStream(message([{ text: 'hold' }])), async (read) => {
        if (!isFirst || read === '') return;
        isFirst = false;
        await place.checkpoint(read);
      });
      return { text };
    },
    async tools(place) {
      const client = await clientOf(place);
      const parts = [{ text: 'remember that I like tea' }];
      return { text: textOf(await client.sendMessage(message(parts))) };
    },
    async files(place) {
      const client = await clientOf(place);
      const raw = place.picture.split(',')[1];
      await client.sendMessage(message([{ text: 'Look' }, { raw, mediaType: 'image/png', filename: 'dot.png' }]));
    },
    async stop(place) {
      const client = await clientOf(place);
      let id;
      const { state } = await read(client.sendMessageStream(message([{ text: 'hold' }])), async (text, task) => {
        if (task) id = task.id;
        if (text === 'Well, ') await client.cancelTask({ id, tenant: '', metadata: undefined });
      });
      return { ended: state === TaskState.TASK_STATE_CANCELED ? 'cancelled' : state };
    },
    async resume(place) {
      const client = await clientOf(place);
      let id;
      await read(client.sendMessageStream(message([{ text: 'hold' }])), async (text, task) => {
        if (task) id = task.id;
        return text === '' ? undefined : 'leave';
      });
      let isFirst = true;
      const { text } = await read(client.resubscribeTask({ id, tenant: '' }), async (read) => {
        if (!isFirst || read === '') return;
        isFirst = false;
        await place.checkpoint('broken');
      });
      return { text };
    },
    async approval(place) {
      const client = await clientOf(place);
      const task = await client.sendMessage(message([{ text: 'use the tool pay with {"amount": 5}' }]));
      const [, waiting] = task.status.message.parts;
      const [{ toolCallId }] = waiting.content.value.waiting;
      const data = { toolCallId, decision: 'allow' };
      return { text: textOf(await client.sendMessage(message([{ data }], { taskId: task.id }))) };
    },
    async limit(place) {
      const client = await clientOf(place);
      await client.sendMessage(message([{ text: 'hi' }]));
      const error = await client.sendMessage(message([{ text: 'hi' }])).catch((reason) => reason);
      return { message: error.message };
    },
  };
}
