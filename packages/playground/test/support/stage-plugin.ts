import { definePlugin, defineTool, ToolError } from '@mlango/oracle-api/plugin';
import { z } from 'zod';

/** The claims that the test oracle requires; none at first. */
export interface Dues {
  claims: string[];
}

/** An answer with all supported formatting. */
const formatted = `## Prices of this week

Milk is **12**, eggs are *30 a tray*, and maize is ~~40~~ 38. See [the market](https://market.example/today), or \`prices --today\`.

- Milk
  1. fresh
  2. sour
- Eggs

| Place | Milk | Maize |
|:--|--:|--:|
${Array.from({ length: 12 }, (_, at) => `| Market ${at + 1} | ${12 + at} | ${38 - at} |`).join('\n')}

> Prices differ by season.

\`\`\`ts
const price = (litres: number): number => litres * 12;
\`\`\`

![The market](https://market.example/today.png)
`;

/**
 * Adds a model that shows its reasoning, fails and exceeds its limit, tools with a card and with a failure, and dues to pay, to
 * the real oracle.
 */
export function stagePlugin(dues: Dues) {
  return definePlugin({
    name: 'stage',
    version: '1.0.0',
    // A broken step fails instead of being skipped.
    failClosed: true,
    manifest: { title: 'Stage', summary: 'Thinks aloud and shows cards.', whenToUse: 'in tests', visibility: 'always' },
    getMiddlewares: () => ({
      async *wrapModel(request, ask) {
        const last = request.messages.at(-1);
        const said = last?.role === 'user' ? last.content : '';
        if (said === 'Break') {
          yield { type: 'text', delta: 'It begins well, ' };
          throw new Error('a model that breaks');
        }
        if (said === 'Ramble') {
          yield { type: 'text', delta: 'And so on and on. '.repeat(20_000) };
        } else if (said === 'Format') {
          yield { type: 'text', delta: formatted };
        } else if (said.startsWith('Think')) {
          yield { type: 'reasoning', delta: 'Doors open inwards.' };
          yield { type: 'text', delta: 'It opens inwards.' };
        } else {
          yield* ask(request);
        }
      },
    }),
    getTools: () => [
      defineTool({
        name: 'open_vault',
        description: 'Opens the vault.',
        inputSchema: z.object({}),
        execute() {
          throw new ToolError('The vault is locked.');
        },
      }),
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
