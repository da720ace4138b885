import type { z } from 'zod';
import { definePlugin } from '../api/define-plugin.js';
import { entityResource, lookupTools } from './lookup-tools.js';
import { QueryGateway } from './query-gateway.js';
import { chainSettings } from './settings.js';

/** Entities, claims and token parameters of the chain, read through the query gateway. */
export const chain = definePlugin({
  name: 'chain',
  version: '1.0.0',
  manifest: {
    title: 'Chain',
    summary: 'Looks up entities, claims and token parameters on the chain.',
    whenToUse: 'the user names an entity (did:ixo:entity:…) or a claim, or asks for parameters of tokens.',
    visibility: 'always',
  },
  configSchema: chainSettings,
  autoDetect: (env) => (env['PROTO_GATEWAY_URL'] ?? '') !== '',
  getTools: ({ config }) => lookupTools(gatewayOf(config)),
  getResources: ({ config }) => [entityResource(gatewayOf(config))],
});

function gatewayOf({ PROTO_GATEWAY_URL: url, PROTO_GATEWAY_API_KEY: apiKey }: z.output<typeof chainSettings>) {
  return new QueryGateway({ url, apiKey });
}
