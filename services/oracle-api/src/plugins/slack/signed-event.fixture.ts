import { slackSignature } from './slack-event.js';

export const signingSecret = 'a-signing-secret-of-tests';
export const botToken = 'xoxb-a-token-of-tests';

let count = 0;

/** A mention of the app, with a new event id unless one is given. */
export const mention = (text: string, event: object = {}, eventId = `Ev${++count}`) => ({
  type: 'event_callback',
  team_id: 'T1',
  event_id: eventId,
  event: {
    type: 'app_mention',
    user: 'U1',
    channel: 'C1',
    ts: `${1_000 + count}.5`,
    text: `<@UBOT> ${text}`,
    ...event,
  },
});

/** A request as Slack sends it. */
export function signed(payload: object, { at = Date.now(), by = signingSecret } = {}) {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(at / 1_000));
  return {
    method: 'POST' as const,
    url: '/slack/events',
    payload: body,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': slackSignature(by, timestamp, Buffer.from(body)),
    },
  };
}
