import type { HttpApp } from '@mlango/service-kit/http-app';
import { byOffset, pageRows } from '../../account/account-data.js';
import { definePlugin } from '../api/define-plugin.js';
import { openMediaServer } from './media-server.js';
import { agentRoutes, callRoutes, webhookRoutes } from './routes.js';
import { callSettings } from './settings.js';
import { tables } from './tables.js';

/** Voice and video calls in rooms of a LiveKit server: admission, keys and records of participants. */
export const calls = definePlugin({
  name: 'calls',
  version: '1.0.0',
  manifest: {
    title: 'Calls',
    summary: 'Opens rooms for encrypted voice and video calls with the oracle.',
    whenToUse: 'never by the model: users start calls.',
    visibility: 'silent',
    // Rows of calls reference sessions.
    needs: ['sessions:read'],
  },
  configSchema: callSettings,
  tables,
  autoDetect: (env) =>
    [env['LIVEKIT_URL'], env['LIVEKIT_API_KEY'], env['LIVEKIT_API_SECRET']].some((value) => (value ?? '') !== ''),
  async *exportUser({ own, now }, ownerDid) {
    const read = async (offset: number) => (await own.list(ownerDid, { limit: pageRows, offset }, now())).calls;
    for await (const { ownerDid: _owner, ...call } of byOffset(read)) yield { kind: 'calls', row: call };
  },
  forgetUser: async ({ own }, ownerDid) => ({ deleted: { calls: await own.removeAll(ownerDid) } }),
  getRoutes: (boot) => [
    async (app) => {
      const media = await openMediaServer(boot.config);
      callRoutes(app, boot, media);
      await app.register(async (scope: HttpApp) => agentRoutes(scope, boot, media));
      await app.register(async (scope: HttpApp) => webhookRoutes(scope, boot, media));
    },
  ],
  // An operator's token and a signature replace a user's token.
  getAuthExcludedRoutes: () => [
    { method: 'POST', path: '/calls/:callId/agent' },
    { method: 'POST', path: '/calls/livekit' },
  ],
});
