import { ServiceError } from '@mlango/service-kit/errors';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { z } from 'zod';
import { rightsOf } from '../../identity/route-rights.js';
import type { LanguageModel } from '../../models/language-model.js';
import type { ModelCatalog } from '../../models/model-catalog.js';
import { errorReplies } from './errors.js';

const modelObject = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
});

interface ModelDeps {
  readonly models: ModelCatalog;
  readonly oracle: { readonly name: string };
}

const tags = ['openai'];

/** `/v1/models`: models that a request can select. */
export function modelRoutes(scope: HttpApp, { models, oracle }: ModelDeps): void {
  const shown = (id: string) => ({ id, object: 'model' as const, created: 0, owned_by: oracle.name });

  scope.get(
    '/models',
    {
      config: rightsOf('GET /v1/models'),
      schema: {
        tags,
        operationId: 'listOpenAiModels',
        summary: 'List the models that a request can name',
        response: { 200: z.object({ object: z.literal('list'), data: z.array(modelObject) }), ...errorReplies() },
      },
    },
    async () => ({ object: 'list' as const, data: models.list().map(({ id }) => shown(id)) }),
  );

  scope.get(
    '/models/:model',
    {
      config: rightsOf('GET /v1/models/:model'),
      schema: {
        tags,
        operationId: 'getOpenAiModel',
        summary: 'Get one model',
        params: z.object({ model: z.string() }),
        response: { 200: modelObject, ...errorReplies(404) },
      },
    },
    async (request) => shown(modelOf(models, request.params.model).id),
  );
}

/** @throws ServiceError for an unknown model */
export function modelOf(models: ModelCatalog, id: string | undefined): LanguageModel {
  const model = models.find(id);
  if (model !== undefined) return model;
  const message = `The model \`${id}\` does not exist: GET /v1/models lists the available models`;
  throw new ServiceError('not_found', message, { details: { fields: ['model'], code: 'model_not_found' } });
}
