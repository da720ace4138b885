import { definePlugin, defineTool } from '@mlango/oracle-api/plugin';
import { z } from 'zod';

/** A step of the script: send text once or repeatedly, reason, call a tool, or wait for a gate. */
const step = z.union([
  z.string(),
  z.object({ say: z.string(), times: z.int() }),
  z.object({ think: z.string() }),
  z.object({ wait: z.string() }),
  z.object({ call: z.string(), args: z.record(z.string(), z.unknown()) }),
]);
const script = z.array(step);
export type Script = z.input<typeof script>;

const prefix = 'script: ';
const ok = z.object({ ok: z.boolean() });

/** A message that makes the model of the rehearsal plugin follow a script. */
export function scripted(...steps: Script): string {
  return prefix + JSON.stringify(steps);
}

/** The script after the given number of calls. */
function afterCalls(steps: z.infer<typeof script>, made: number): z.infer<typeof script> {
  const calls = steps.flatMap((each, at) => (typeof each === 'object' && 'call' in each ? [at] : []));
  return made === 0 ? steps : steps.slice((calls[made - 1] ?? steps.length) + 1);
}

/** The model's output for a step. */
function partOf(each: Exclude<z.infer<typeof step>, { wait: string }>) {
  if (typeof each === 'string') return { type: 'text', delta: each } as const;
  if ('say' in each) return { type: 'text', delta: each.say.repeat(each.times) } as const;
  if ('call' in each) return { type: 'tool_call', call: { name: each.call, args: each.args } } as const;
  return { type: 'reasoning', delta: each.think } as const;
}

/** Makes the oracle follow the script in a message, gated by the test; all else is the real oracle. */
export function rehearsalPlugin() {
  const gates = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>();
  const unpaid = new Map<string, string[]>();
  const gate = (name: string) => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const made = gates.get(name) ?? { opened, open };
    gates.set(name, made);
    return made;
  };
  return definePlugin({
    name: 'rehearsal',
    version: '1.0.0',
    manifest: { title: 'Rehearsal', summary: 'Follows scripts.', whenToUse: 'never', visibility: 'always' },
    getMiddlewares: () => ({
      async *wrapModel(request, ask) {
        const asked = request.messages.findLastIndex(({ role }) => role === 'user');
        const { content = '' } = request.messages[asked] ?? {};
        const made = request.messages.slice(asked).filter(({ role }) => role === 'tool').length;
        if (!content.startsWith(prefix)) {
          yield* ask(request);
          return;
        }
        for (const each of afterCalls(script.parse(JSON.parse(content.slice(prefix.length))), made)) {
          if (typeof each === 'object' && 'wait' in each) await gate(each.wait).opened;
          else yield partOf(each);
          if (typeof each === 'object' && 'call' in each) return;
        }
      },
    }),
    getTools: () => [
      defineTool({
        name: 'show_card',
        description: 'Shows a card.',
        inputSchema: z.object({ title: z.string() }),
        async execute({ title }, { emit, toolCallId }) {
          await emit.renderComponent({ componentName: 'Card', args: { title }, status: 'done', eventId: toolCallId });
          return { shown: title };
        },
      }),
      defineTool({
        name: 'break_down',
        description: 'Fails.',
        inputSchema: z.object({}),
        execute: () => {
          throw new Error('broken');
        },
      }),
      defineTool({
        name: 'wire_money',
        description: 'Pays somebody.',
        inputSchema: z.object({ kes: z.number() }),
        needsApproval: ({ kes }) => ({ title: `Pay KES ${Number(kes)}`, reason: 'It leaves your account.' }),
        execute: ({ kes }) => ({ paid: kes }),
      }),
    ],
    getPaymentGate: () => ({
      demandOf: async ({ sessionId }) => {
        const claims = unpaid.get(sessionId);
        return claims && { message: 'Please pay first', claims };
      },
    }),
    getRoutes: () => [
      (app) => {
        app.post(
          '/rehearsal/open/:gate',
          { schema: { params: z.object({ gate: z.string() }), response: { 200: ok } } },
          async ({ params }) => {
            gate(params.gate).open();
            return { ok: true };
          },
        );
        const claimsBody = z.object({ sessionId: z.string(), claims: z.array(z.string()) });
        app.post('/rehearsal/unpaid', { schema: { body: claimsBody, response: { 200: ok } } }, async ({ body }) => {
          if (body.claims.length === 0) unpaid.delete(body.sessionId);
          else unpaid.set(body.sessionId, body.claims);
          return { ok: true };
        });
        const headers = z.record(z.string(), z.unknown());
        app.get('/rehearsal/headers', { schema: { response: { 200: headers } } }, async (request) => request.headers);
      },
    ],
    getAuthExcludedRoutes: () => ['/rehearsal/open/*', '/rehearsal/unpaid'],
  });
}
