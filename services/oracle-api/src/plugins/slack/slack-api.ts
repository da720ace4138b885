import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { PluginReply } from '../../agent/converse.js';
import { HttpService } from '../api/http-service.js';

export interface SlackPost {
  readonly channel: string;
  readonly thread: string;
  readonly text: string;
}

const attempts = 3;
const longestPauseMs = 5_000;

/** Slack truncates texts longer than 40,000 characters. */
const textChars = 38_000;

const postReply = z.object({ ok: z.boolean(), error: z.string().max(100).optional() });

/** Client for the part of Slack's Web API that answers need. */
export class SlackApi {
  readonly #slack: HttpService;

  constructor({ url, token }: { url: string; token: string }) {
    const headers = { authorization: `Bearer ${token}` };
    this.#slack = new HttpService({ url, headers, limitMs: 10_000, limitBytes: 256 * 1024 });
  }

  /**
   * Posts a text in a thread. Retries after a short rate limit only, so that no text is posted twice. Rejects with Slack's error
   * code.
   */
  async post({ channel, thread, text }: SlackPost): Promise<void> {
    const body = { channel, thread_ts: thread, text: escaped(text).slice(0, textChars) };
    for (let attempt = 1; ; attempt += 1) {
      const { status, headers, text: replyText } = await this.#slack.request('/chat.postMessage', { body });
      const pauseMs = Number(headers['retry-after'] ?? 1) * 1_000;
      if (status === 429 && attempt < attempts && pauseMs >= 0 && pauseMs <= longestPauseMs) {
        await sleep(pauseMs);
        continue;
      }
      if (status !== 200) throw new Error(`Slack answered ${status}`);
      const { ok, error } = postReply.parse(JSON.parse(replyText));
      if (!ok) throw new Error(`Slack refused the message: ${error ?? 'without a reason'}`);
      return;
    }
  }
}

/** Prevents mentions and disguised links in the model's output. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text of the reply in the thread; undefined for none. */
export function answerTo(reply: PluginReply): string | undefined {
  switch (reply.kind) {
    case 'answered': {
      const { status, content, failure } = reply.outcome;
      if (status === 'failed') return `I could not answer: ${failure?.detail ?? 'something went wrong'}`;
      return content === '' ? undefined : content;
    }
    case 'payment_required':
      return `${reply.demand.message}. Claims to pay: ${reply.demand.claims.join(', ')}`;
    case 'limited':
      return reply.message;
    case 'queue_full':
      return 'Too many messages of yours wait for an answer. Please ask again once some of them have been answered.';
    case 'busy':
      return 'I have too much to do just now. Please ask again in a minute.';
    case 'no_session':
      return 'I could not find this conversation. Please start a new thread.';
    case 'request_id_used':
      return undefined;
  }
}
