import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';

const settings = z.object({
  handset: z.boolean().describe('Whether the page may be a phone.'),
  topUps: z.boolean().describe('Whether the page may add to balances of credits.'),
  serviceCode: z.string().describe('What the phone dials.'),
  oracleDid: z.string().describe('Whom tokens are addressed to.'),
});

export type Settings = z.output<typeof settings>;

/** `GET /settings.json`: what the page has to know of this deployment. */
export function settingsRoute(app: HttpApp, answer: Settings): void {
  const schema = { response: { 200: settings } };
  app.get('/settings.json', { schema, config: { programsOnly: true } }, (_request, reply) => {
    void reply.header('cache-control', 'no-cache');
    return answer;
  });
}
