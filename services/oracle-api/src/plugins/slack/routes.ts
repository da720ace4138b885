import { jsonError } from '@mlango/schemas/errors';
import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { parseJson } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import type { RouteBoot } from '../api/plugin.js';
import { answersPool, MemberShares } from './member-shares.js';
import type { SlackSettings } from './settings.js';
import { answerTo, SlackApi } from './slack-api.js';
import { isFromSlack, readSlackEvent, type SlackMessage } from './slack-event.js';

const bodyBytes = 256 * 1024;

/** Slack stops retrying an event after about an hour. */
const rememberedMs = 2 * 3_600_000;

/** All members of a workspace use Slack's few addresses; each member also has a separate share. */
const usersOfAddress = 50;

const received = z.object({ ok: z.literal(true) });

/** `/slack/events`: events from Slack. */
export function slackRoutes(app: HttpApp, boot: RouteBoot<SlackSettings>): void {
  const { config, converse, counts, now, logger } = boot;
  const slack = new SlackApi({ url: config.SLACK_API_URL, token: config.SLACK_BOT_TOKEN });
  const shares = new MemberShares({ perMinute: config.SLACK_MEMBER_MESSAGES_PER_MINUTE, counts });
  const answers = boot.openPool(answersPool);
  const answering = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    await Promise.all(answering);
  });

  // The signature covers the raw bytes, so the body is not parsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: bodyBytes }, (_, body, done) =>
    done(null, body),
  );

  /** Never rejects. */
  async function answer({ eventId, request, channel, thread }: SlackMessage, hasPermit: boolean): Promise<void> {
    try {
      const share = await shares.take(request.ownerDid, hasPermit);
      const text = share.kind === 'refused' ? refusalOf(share) : await replyTo(eventId, request);
      if (text !== undefined) await slack.post({ channel, thread, text });
    } catch (err) {
      logger.warn({ err, eventId }, 'Slack message not answered');
    }
  }

  async function replyTo(eventId: string, request: SlackMessage['request']): Promise<string | undefined> {
    const reply = await converse(request);
    if (reply.kind === 'no_session') logger.warn({ eventId }, 'Slack message not answered: its session was not found');
    return answerTo(reply);
  }

  app.post(
    '/slack/events',
    {
      bodyLimit: bodyBytes,
      config: { usersOfAddress },
      schema: {
        operationId: 'receiveSlackEvent',
        summary: 'Receive an event of a Slack app',
        description: 'Signed by Slack. Answered immediately; the answer of the oracle follows in the thread.',
        response: { 200: z.union([z.object({ challenge: z.string() }), received]), 403: jsonError, 503: jsonError },
      },
    },
    async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = request.headers;
      if (!isFromSlack(config.SLACK_SIGNING_SECRET, { timestamp, signature, body }, now())) {
        throw new ServiceError('permission_denied', 'The request is not signed by Slack, or too old');
      }
      const event = readSlackEvent(parseJson(body.toString('utf8')));
      if (event.kind === 'challenge') return { challenge: event.challenge };
      if (event.kind === 'other') return { ok: true as const };
      // Runs before the event counts as seen, because Slack retries it.
      const member = event.message.request.ownerDid;
      const taken = answers.tryAcquire({ user: member, address: member });
      if ('full' in taken && taken.full === 'total') throw new ServiceError('unavailable', 'Too many messages at once');
      const permit = 'full' in taken ? undefined : taken;
      const isNew = await counts.hit(`slack-event:${event.message.eventId}`, rememberedMs).then(
        ({ count }) => count === 1,
        (error: unknown) => {
          permit?.release();
          throw error;
        },
      );
      if (!isNew) {
        permit?.release();
        return { ok: true as const };
      }
      const work = answer(event.message, permit !== undefined).finally(() => {
        permit?.release();
        answering.delete(work);
      });
      answering.add(work);
      return { ok: true as const };
    },
  );
}

/** Limited to once a minute, because each notice costs as much as an answer. */
function refusalOf({ isNotified }: { readonly isNotified: boolean }): string | undefined {
  return isNotified ? undefined : 'That is more than I can answer at once. Please ask again in a minute.';
}
