import { modelList } from '@mlango/schemas/oracle';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { ModelCatalog } from '../models/model-catalog.js';
import { errorReplies } from './error-replies.js';

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
