import { z } from 'zod';
import type { Operation } from '../engine/flow.js';
import { chainOperation, chainSettings } from './chain/chain-operation.js';
import { messageOperation, messageSettings } from './message/message-operation.js';
import { webhookOperation, webhookSettings } from './webhook/webhook-operation.js';

const chain = z.strictObject({ connector: z.literal('chain'), ...chainSettings });
const webhook = z.strictObject({ connector: z.literal('webhook'), ...webhookSettings });
const message = z.strictObject({ connector: z.literal('message'), ...messageSettings });

/** Settings of an operation, by its connector. A custom connector is added here and in `operationOf`. */
export const connectorSettings = [chain, webhook, message] as const;
export type ConnectorSettings = z.output<(typeof connectorSettings)[number]>;

export function operationOf(name: string, settings: ConnectorSettings): Operation {
  if (settings.connector === 'chain') return chainOperation(settings);
  return settings.connector === 'message' ? messageOperation(settings) : webhookOperation(settings, name);
}
