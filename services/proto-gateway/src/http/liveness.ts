import { gatewayLiveness } from '@mlango/schemas/proto-gateway';
import type { HttpApp } from '@mlango/service-kit/http-app';

/** `GET /health`: the process runs. It never asks a node; `/health/ready` does. */
export function livenessRoute(app: HttpApp): void {
  app.get('/health', { config: { probe: true }, schema: { hide: true, response: { 200: gatewayLiveness } } }, () => ({
    status: 'ok' as const,
  }));
}
