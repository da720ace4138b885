/** A page with `@copilotkit/core`, through `@copilotkit/runtime` with the oracle as its agent. */
import { createServer } from 'node:http';

process.env.COPILOTKIT_TELEMETRY_DISABLED = 'true';
process.env.DO_NOT_TRACK = '1';

export default async function features() {
  const { CopilotKitCore } = await import('@copilotkit/core');
  const { CopilotRuntime } = await import('@copilotkit/runtime/v2');
  const { createCopilotNodeListener } = await import('@copilotkit/runtime/v2/node');
  const { HttpAgent } = await import('ag-ui-client-0');
  const { z } = await import('zod');
  // The library of the page connects only in a page.
  globalThis.window = Object.assign(new EventTarget(), { location: new URL('http://localhost/') });
  console.error = () => undefined;

  /** Runs a feature in a page, with a separate runtime. */
  const inPage = async (place, work, tools = []) => {
    const agents = { oracle: new HttpAgent({ url: `${place.url}/ag-ui` }) };
    const runtime = new CopilotRuntime({ agents });
    const listener = createCopilotNodeListener({ runtime, basePath: '/api/copilotkit' });
    const server = createServer((request, response) => void listener(request, response));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const runtimeUrl = `http://127.0.0.1:${server.address().port}/api/copilotkit`;
    const headers = { authorization: `Bearer ${place.token}` };
    const core = new CopilotKitCore({ runtimeUrl, runtimeTransport: 'rest', headers, tools });
    const errors = [];
    core.subscribe({ onError: ({ error }) => void errors.push(error) });
    try {
      await until(() => core.getAgent('oracle') !== undefined);
      const agent = core.getAgent('oracle');
      agent.threadId = place.session;
      const send = async (content) => {
        agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
        await core.runAgent({ agent });
        return lastText(agent);
      };
      return await work({ core, agent, send, errors });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  const until = async (isTrue) => {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const lastText = ({ messages }) => messages.findLast(({ role }) => role === 'assistant')?.content;
  const zoom = (options = {}) => ({
    name: 'zoom',
    description: 'Zooms the page',
    parameters: z.object({ by: z.number() }),
    handler: async ({ by }) => `zoomed ${by} times`,
    ...options,
  });

  return {
    async stream(place) {
      return inPage(place, async ({ agent, send }) => {
        const sent = send('hold');
        await until(() => lastText(agent) === 'Well, ');
        await place.checkpoint('Well, ');
        return { text: await sent };
      });
    },
    async tools(place) {
      return inPage(place, async ({ agent, send }) => {
        const text = await send('remember that I like tea');
        return {
          text,
          called: agent.messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.function.name)),
        };
      });
    },
    async pageTools(place) {
      const followed = await inPage(place, ({ send }) => send('use the tool zoom with {"by": 2}'), [zoom()]);
      const session = crypto.randomUUID();
      const next = await inPage(
        { ...place, session },
        async ({ send }) => {
          await send('use the tool zoom with {"by": 2}');
          return send('say: next');
        },
        [zoom({ followUp: false })],
      );
      return { text: followed, next };
    },
    async files(place) {
      const content = [
        { type: 'text', text: 'Look' },
        { type: 'image', source: { type: 'data', value: place.picture.split(',')[1], mimeType: 'image/png' } },
      ];
      await inPage(place, async ({ send, errors }) => {
        await send(content);
        if (errors.length > 0) throw errors[0];
      });
    },
    async stop(place) {
      return inPage(place, async ({ core, agent, send }) => {
        const sent = send('hold').catch(() => undefined);
        await until(() => lastText(agent) === 'Well, ');
        core.stopAgent({ agent });
        await sent;
        return { ended: 'disconnected', next: await send('say: next') };
      });
    },
    async approval(place) {
      return inPage(place, async ({ core, agent, send }) => {
        let interrupts;
        agent.subscribe({
          onRunFinishedEvent: ({ event }) => {
            interrupts = event.outcome?.interrupts;
          },
        });
        await send('use the tool pay with {"amount": 5}');
        const payload = { decision: 'allow' };
        const resume = interrupts.map(({ id: interruptId }) => ({ interruptId, status: 'resolved', payload }));
        await core.runAgent({ agent, resume });
        return { text: lastText(agent) };
      });
    },
    async limit(place) {
      return inPage(place, async ({ send, errors }) => {
        await send('hi');
        const thrown = await send('hi').then(
          () => undefined,
          (error) => error,
        );
        return { message: [thrown, ...errors].map((error) => error?.message ?? '').join('\n') };
      });
    },
  };
}
