import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';

/** `GET /health`: the process runs. */
export function healthRoute(app: HttpApp): void {
  const response = { 200: z.object({ status: z.literal('ok') }) };
  app.get('/health', { config: { probe: true }, schema: { response } }, () => ({ status: 'ok' as const }));
}
