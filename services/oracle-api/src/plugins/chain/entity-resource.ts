import { ServiceError } from '@mlango/service-kit/errors';
import type { PluginResource } from '../api/plugin.js';
import { entityPrefix } from './lookup-tools.js';
import type { QueryGateway } from './query-gateway.js';

/** Entities of the chain, each at its DID. There are too many to be listed. */
export function entityResource(gateway: Pick<QueryGateway, 'ask'>): PluginResource {
  return {
    uriPrefix: entityPrefix,
    name: 'entity',
    description: 'An entity on the chain: what it is, who controls it, its services and resources.',
    async read(_ownerDid, id, signal) {
      const answer = await gateway.ask(['proto', 'entity', `${entityPrefix}${id}`], signal);
      if (answer.kind === 'answer') return answer.value;
      if (answer.kind === 'absent' || answer.kind === 'refused') return undefined;
      const cause = answer.kind === 'away' ? answer.cause : new Error(`the query gateway: ${answer.kind}`);
      throw new ServiceError('unavailable', 'The chain cannot be asked just now', { cause });
    },
  };
}
