import { invalidRequest, jsonError } from '@mlango/schemas/errors';
import { userPreferences, userPreferencesBody, userPreferencesReply } from '@mlango/schemas/oracle-preferences';
import type { HttpApp } from '@mlango/service-kit/http-app';
import { withExample } from '@mlango/service-kit/with-example';
import { rightsOf } from '../../identity/route-rights.js';
import type { StoredPreferences } from '../../store/preferences.js';
import type { PluginBoot } from '../api/plugin.js';

type PreferencesBoot = Pick<PluginBoot<unknown, unknown, 'preferences:write'>, 'grants' | 'now'>;

/** `/user-preferences`: the caller's preferences for answers. */
export function userPreferenceRoutes(app: HttpApp, { grants, now }: PreferencesBoot): void {
  const preferences = grants['preferences:write'];

  app.get(
    '/user-preferences',
    {
      config: rightsOf('GET /user-preferences'),
      schema: {
        tags: ['preferences'],
        operationId: 'getPreferences',
        summary: 'Get the preferences of the caller',
        description:
          'They apply unless the room of a session has its own preferences. `null` for a user without preferences.',
        response: { 200: userPreferencesReply },
      },
    },
    async (request, reply) => {
      const found = await preferences.of(request).find();
      // Serialized here: a reply of null would otherwise have no body, which clients cannot parse.
      return reply
        .type('application/json; charset=utf-8')
        .serializer((value) => JSON.stringify(value))
        .send(found === undefined ? null : recordOf(found));
    },
  );

  // Not for API keys: preferences are part of every later prompt, so a key could control all later turns.
  app.put(
    '/user-preferences',
    {
      config: { stores: 'preferences' },
      schema: {
        tags: ['preferences'],
        operationId: 'setPreferences',
        summary: 'Set the preferences of the caller',
        description: 'Replaces all preferences: absent fields are unset. Applies from the next message on.',
        body: withExample(userPreferencesBody, { userName: 'Asha', language: 'sw' }),
        response: { 200: userPreferences, 400: invalidRequest, 413: jsonError, 415: jsonError },
      },
    },
    async (request) => recordOf(await preferences.of(request).replace(request.body, now())),
  );
}

function recordOf({ updatedAt, ...record }: StoredPreferences) {
  return { ...record, updatedAt: updatedAt.toISOString() };
}
