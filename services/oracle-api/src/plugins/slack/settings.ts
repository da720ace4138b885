import { z } from 'zod';

const problem = 'must be a URL starting with http:// or https://, without a user, a query or a fragment';

function isBase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && `${username}${password}${search}${hash}` === '';
}

export const slackSettings = z.object({
  /** Of the Slack app: proves that an event comes from Slack. */
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 characters of printable ASCII without blanks'),
  /** Of the Slack app, with the scope `chat:write`. */
  SLACK_BOT_TOKEN: z.string().regex(/^xoxb-[\x21-\x7e]{1,500}$/, 'must be the bot token of a Slack app: xoxb-…'),
  /** Another address than Slack's, for tests. */
  SLACK_API_URL: z.string().refine(isBase, problem).default('https://slack.com/api'),
});

export type SlackSettings = z.output<typeof slackSettings>;
