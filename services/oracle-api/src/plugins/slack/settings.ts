import { placeholderWeakness, strongInProduction } from '@mlango/service-kit/secrets';
import { z } from 'zod';
import { baseUrl } from '../api/settings.js';

export const slackSettings = z.object({
  SLACK_SIGNING_SECRET: strongInProduction(
    z.string().regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 characters of printable ASCII without blanks'),
    placeholderWeakness,
    'it is not a token that Slack issues to an app',
  ).describe('Signing secret of a Slack app; requires `SLACK_BOT_TOKEN`'),
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-[\x21-\x7e]{1,500}$/, 'must be the bot token of a Slack app: xoxb-…')
    .describe('Bot token of that app'),
  SLACK_MEMBER_MESSAGES_PER_MINUTE: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1_000, 'must be at most 1000')
    .default(10)
    .describe('Answers per minute for one member of a Slack workspace'),
  SLACK_API_URL: baseUrl.default('https://slack.com/api').describe('Another address, for tests'),
});

export type SlackSettings = z.output<typeof slackSettings>;
