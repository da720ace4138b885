import { userPreferencesReply } from '@mlango/schemas/oracle-preferences';
import type { HttpApp } from '@mlango/service-kit/http-app';
import type { Grants } from '../../plugin-kit/grants.js';

/** `GET /user-preferences`: how the caller wants to be talked to. */
export function userPreferenceRoutes(app: HttpApp, preferences: Grants['preferences:write']): void {
  app.get(
    '/user-preferences',
    {
      config: { keyScopes: ['read'] },
      schema: {
        tags: ['preferences'],
        summary: 'How the user wants to be talked to',
        description: 'Where a session has no room that says otherwise. `null` for a user who has never said so.',
        response: { 200: userPreferencesReply },
      },
    },
    async (request, reply) => {
      const found = await preferences.of(request).find();
      const record = found === undefined ? null : { ...found, updatedAt: found.updatedAt.toISOString() };
      // Written here: a reply of null would else be sent as no body at all, which clients cannot parse.
      return reply
        .type('application/json; charset=utf-8')
        .serializer((value) => JSON.stringify(value))
        .send(record);
    },
  );
}
