import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';

export interface SlackPost {
  readonly channel: string;
  readonly thread: string;
  readonly text: string;
}

const limitMs = 10_000;
const attempts = 3;
const longestPauseMs = 5_000;

/** Slack cuts texts that are longer than 40,000 characters. */
const textChars = 38_000;

const postReply = z.object({ ok: z.boolean(), error: z.string().max(100).optional() });

/** Slack's Web API, as far as answers need it. Redirects are not followed. */
export class SlackApi {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({ connections: 16, maxResponseSize: 256 * 1024, connect: { timeout: limitMs } });

  constructor({ url, token }: { url: string; token: string }) {
    this.#url = `${url.replace(/\/+$/, '')}/chat.postMessage`;
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
  }

  /**
   * Posts a text in a thread. A rate limit is waited for when it is short; nothing else is tried again, so that nothing is
   * said twice. Rejects with Slack's own word for what is wrong.
   */
  async post({ channel, thread, text }: SlackPost): Promise<void> {
    const body = JSON.stringify({ channel, thread_ts: thread, text: escaped(text).slice(0, textChars) });
    for (let attempt = 1; ; attempt += 1) {
      const reply = await request(this.#url, {
        method: 'POST',
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(limitMs),
        headers: this.#headers,
        body,
      });
      const said = await reply.body.text();
      const pauseMs = Number(reply.headers['retry-after'] ?? 1) * 1_000;
      if (reply.statusCode === 429 && attempt < attempts && pauseMs >= 0 && pauseMs <= longestPauseMs) {
        await sleep(pauseMs);
        continue;
      }
      if (reply.statusCode !== 200) throw new Error(`Slack answered ${reply.statusCode}`);
      const { ok, error } = postReply.parse(JSON.parse(said));
      if (!ok) throw new Error(`Slack refused the message: ${error ?? 'without a reason'}`);
      return;
    }
  }
}

/** So that nothing the model says becomes a mention or a link in disguise. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
