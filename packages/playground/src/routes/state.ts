import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';

const settings = z.object({
  handset: z.boolean().describe('Whether the page may be a phone.'),
  topUps: z.boolean().describe('Whether the page may add to balances of credits.'),
  serviceCode: z.string().describe('Service code that the phone dials.'),
  oracleDid: z.string().describe('Audience of tokens.'),
});

export type Settings = z.output<typeof settings>;

/** `GET /settings.json`: the settings of this deployment. */
export function settingsRoute(app: HttpApp, answer: Settings): void {
  const schema = { response: { 200: settings } };
  app.get('/settings.json', { schema, config: { programsOnly: true } }, (_request, reply) => {
    void reply.header('cache-control', 'no-cache');
    return answer;
  });
}

/** `GET /health`: the process runs. */
export function healthRoute(app: HttpApp): void {
  const response = { 200: z.object({ status: z.literal('ok') }) };
  app.get('/health', { config: { probe: true }, schema: { response } }, () => ({ status: 'ok' as const }));
}

const answer = z.object({
  phone: z.boolean().describe('Whether the USSD gateway answers.'),
  chat: z.boolean().describe('Whether the oracle answers.'),
  chain: z.boolean().describe('Whether the query gateway answers.'),
});

/** Base URLs of the services. */
export type ServiceUrls = Readonly<Record<keyof z.output<typeof answer>, string>>;

/** A service that takes longer to answer counts as unavailable. */
const WAIT_MS = 2_000;

/** Availability of the services. Concurrent requests share one check. */
export function serviceStatesRoute(app: HttpApp, { phone, chat, chain }: ServiceUrls): void {
  let pending: Promise<z.output<typeof answer>> | undefined;
  async function check() {
    const [isPhone, isChat, isChain] = await Promise.all([phone, chat, chain].map(answers));
    return { phone: isPhone === true, chat: isChat === true, chain: isChain === true };
  }
  app.get('/doors.json', { schema: { response: { 200: answer } } }, (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    pending ??= check().finally(() => {
      pending = undefined;
    });
    return pending;
  });
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(WAIT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
