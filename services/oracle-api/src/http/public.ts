import { landing, liveness, modelList } from '@mlango/schemas/oracle';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { ModelCatalog } from '../models/model-catalog.js';
import { errorReplies } from './errors.js';

/** `GET /` and `GET /health`: public, without access to stores. */
export function landingRoutes(app: HttpApp, deps: { oracle: { name: string }; docs: boolean; now: () => Date }): void {
  const message = `${deps.oracle.name} is listening.${deps.docs ? ' The API is described at /docs.' : ''}`;
  app.get(
    '/',
    {
      schema: {
        tags: ['public'],
        operationId: 'getServiceInfo',
        summary: 'Get the name and the status of the service',
        response: { 200: landing, ...errorReplies() },
      },
    },
    async () => ({
      status: 'ok' as const,
      message,
      timestamp: deps.now().toISOString(),
    }),
  );
  app.get(
    '/health',
    {
      config: { probe: true },
      schema: { tags: ['public'], operationId: 'getHealth', summary: 'Liveness', response: { 200: liveness } },
    },
    async () => ({ status: 'ok' as const, timestamp: deps.now().toISOString() }),
  );
}

/** `GET /models`: public. */
export function modelRoutes(app: HttpApp, deps: { models: ModelCatalog }): void {
  app.get(
    '/models',
    {
      schema: {
        tags: ['public'],
        operationId: 'listModels',
        summary: 'List the models that a message can name',
        response: { 200: modelList, ...errorReplies() },
      },
    },
    async () => ({ models: deps.models.list(), default: deps.models.default.id }),
  );
}
