import { z } from 'zod';
import type { Operation } from '../engine/flow.js';
import { chainOperation, chainSettings } from './chain/chain-operation.js';
import { webhookOperation, webhookSettings } from './webhook/webhook-operation.js';

const chain = z.strictObject({ connector: z.literal('chain'), ...chainSettings });
const webhook = z.strictObject({ connector: z.literal('webhook'), ...webhookSettings });

/** What a flow says of an operation, by its connector. A connector of one's own stands here and in `operationOf`. */
export const connectorSettings = [chain, webhook] as const;
export type ConnectorSettings = z.output<(typeof connectorSettings)[number]>;

export function operationOf(name: string, settings: ConnectorSettings): Operation {
  return settings.connector === 'chain' ? chainOperation(settings) : webhookOperation(settings, name);
}
