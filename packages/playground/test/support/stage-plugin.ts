import { definePlugin, defineTool } from '@mlango/oracle-api/plugin';
import { z } from 'zod';

/** What the oracle of a test asks to be paid; none at first. */
export interface Dues {
  claims: string[];
}

/** Gives the real oracle a model that thinks aloud, a tool that shows a card, and dues to be paid. */
export function stagePlugin(dues: Dues) {
  return definePlugin({
    name: 'stage',
    version: '1.0.0',
    manifest: { title: 'Stage', summary: 'Thinks aloud and shows cards.', whenToUse: 'in tests', visibility: 'always' },
    getMiddlewares: () => ({
      async *wrapModel(request, ask) {
        const last = request.messages.at(-1);
        if (last?.role !== 'user' || !last.content.startsWith('Think')) {
          yield* ask(request);
          return;
        }
        yield { type: 'reasoning', delta: 'Doors open inwards.' };
        yield { type: 'text', delta: 'It opens inwards.' };
      },
    }),
    getTools: () => [
      defineTool({
        name: 'show_card',
        description: 'Shows a card.',
        inputSchema: z.object({ title: z.string() }),
        async execute({ title }, { emit, toolCallId }) {
          const args = { title, text: 'From the oracle' };
          await emit.renderComponent({ componentName: 'notice_card', args, status: 'done', eventId: toolCallId });
          return { shown: title };
        },
      }),
    ],
    getPaymentGate: () => ({
      demandOf: async () =>
        dues.claims.length === 0 ? undefined : { message: 'Please pay first', claims: dues.claims },
    }),
  });
}
