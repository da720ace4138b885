import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HttpService } from '../api/http-service.js';

export interface SlackPost {
  readonly channel: string;
  readonly thread: string;
  readonly text: string;
}

const attempts = 3;
const longestPauseMs = 5_000;

/** Slack cuts texts that are longer than 40,000 characters. */
const textChars = 38_000;

const postReply = z.object({ ok: z.boolean(), error: z.string().max(100).optional() });

/** Slack's Web API, as far as answers need it. */
export class SlackApi {
  readonly #slack: HttpService;

  constructor({ url, token }: { url: string; token: string }) {
    const headers = { authorization: `Bearer ${token}` };
    this.#slack = new HttpService({ url, headers, limitMs: 10_000, limitBytes: 256 * 1024 });
  }

  /**
   * Posts a text in a thread. A rate limit is waited for when it is short; nothing else is tried again, so that nothing is
   * said twice. Rejects with Slack's own word for what is wrong.
   */
  async post({ channel, thread, text }: SlackPost): Promise<void> {
    const body = { channel, thread_ts: thread, text: escaped(text).slice(0, textChars) };
    for (let attempt = 1; ; attempt += 1) {
      const { status, headers, text: said } = await this.#slack.request('/chat.postMessage', { body });
      const pauseMs = Number(headers['retry-after'] ?? 1) * 1_000;
      if (status === 429 && attempt < attempts && pauseMs >= 0 && pauseMs <= longestPauseMs) {
        await sleep(pauseMs);
        continue;
      }
      if (status !== 200) throw new Error(`Slack answered ${status}`);
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
