import { setTimeout as sleep } from 'node:timers/promises';
import type { AggregatorLine } from './aggregator-lines.js';

/** Within this time an equal secret is a repeated delivery of the previous one. */
const momentMs = 1_010;

interface Caller {
  readonly sessionId: string;
  readonly phoneNumber: string;
}

/** A phone that reaches a running service through one aggregator, which presents its secret in one of the two ways. */
export function phoneOver(line: AggregatorLine, base: string, secret: string) {
  let sent = 0;
  const send = async (caller: Caller, typed: { dials: boolean; input: string; text: string; count: number }) => {
    const { url, headers, ...request } = line.request({ ...caller, ...typed });
    const address = new URL(url, base);
    const inQuery = sent++ % 2 === 0;
    if (inQuery) address.searchParams.set('secret', secret);
    const reply = await fetch(address, {
      ...request,
      headers: { ...headers, ...(inQuery ? {} : { 'x-aggregator-secret': secret }) },
    });
    if (reply.status !== 200) throw new Error(`status ${reply.status}: ${await reply.text()}`);
    return line.read(await reply.text(), reply.headers.get('freeflow'));
  };
  return {
    /** Dials, types one input after the other, and resolves with the last message. */
    play: async (caller: Caller, inputs: readonly string[], afterEach: () => Promise<void> = async () => {}) => {
      let { message } = await send(caller, { dials: true, input: '', text: '', count: 0 });
      for (const [index, input] of inputs.entries()) {
        const text = inputs.slice(0, index + 1).join('*');
        if (input === inputs[index - 1]) await sleep(momentMs);
        ({ message } = await send(caller, { dials: false, input, text, count: index + 1 }));
        await afterEach();
      }
      return message;
    },
  };
}
