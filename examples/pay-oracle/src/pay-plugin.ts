import { definePlugin, defineTool, ToolError } from '@mlango/oracle-api/plugin';
import { z } from 'zod';

const payment = z.object({ to: z.string().trim().min(1).max(80), amount: z.number().int().positive().max(10_000) });

/** Pays after the user's approval. The payment is stored in the plugin's own state, under the key of the call. */
export const payPlugin = definePlugin({
  name: 'pay',
  version: '1.0.0',
  manifest: {
    title: 'Payments',
    summary: 'Pays people.',
    whenToUse: 'the user wants somebody to be paid.',
    visibility: 'always',
  },
  getTools: () => [
    defineTool({
      name: 'pay',
      description: 'Pays somebody an amount, in whole units.',
      inputSchema: payment,
      effects: 'outside',
      needsApproval: (args) => {
        const { to, amount } = payment.parse(args);
        return { title: `Pay ${amount} to ${to}`, reason: 'It leaves your account at once.' };
      },
      async execute({ to, amount }, { kv, idempotencyKey }) {
        const key = `payments/${idempotencyKey}`;
        const put = await kv.put(key, { to, amount }, { version: 0 });
        // A bank pays once for two requests under one key; this one detects the second by its versions.
        if (!put.ok && put.code !== 'changed') throw new ToolError('There is no room for another payment.');
        return { paid: amount, to };
      },
    }),
  ],
  getRoutes: ({ kv }) => [
    (app) => {
      const schema = {
        summary: 'What the caller has paid',
        response: { 200: z.object({ payments: z.array(payment) }) },
      };
      app.get('/payments', { schema }, async (request) => {
        const kept = await kv.ofCaller(request).list({ prefix: 'payments/' });
        return { payments: kept.map(({ value }) => payment.parse(value)) };
      });
    },
  ],
});
