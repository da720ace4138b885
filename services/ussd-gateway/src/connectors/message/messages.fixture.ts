import { keyringOf } from '@mlango/crypto/keyring';
import { createOutbound } from '@mlango/outbound/outbound';
import { createLogger } from '@mlango/service-kit/logging';
import { messageSuffix } from '../../effects/effect.js';
import { EffectRunner } from '../../effects/effect-runner.js';
import type { EffectStore } from '../../effects/effect-store.js';
import { inputSeal } from '../../effects/sealed-input.js';
import { queueEffect } from '../../engine/texts.js';
import { africasTalkingMessages } from './africastalking-messages.js';
import { infobipMessages } from './infobip-messages.js';
import type { MessageProvider } from './message-provider.js';
import { runMessages } from './run-messages.js';
import { sendOnce } from './send-message.js';

/** Each provider as configured in a deployment, at a loopback address. */
export function providersAt(url: string, limitMs = 10_000) {
  const outbound = createOutbound({ privateHosts: [{ host: '127.0.0.1', port: Number(new URL(url).port) }] });
  const how = { apiKey: 'an api key of theirs', dispatcher: outbound.dispatcher, limitMs };
  return {
    africastalking: africasTalkingMessages({ ...how, url, username: 'shop', from: 'SHOP' }),
    infobip: infobipMessages({ ...how, url, from: 'Shop', reportsUrl: 'https://ussd.example/reports?secret=s' }),
    close: () => outbound.close(),
  };
}

export interface MessagesOn {
  readonly hasReports?: boolean;
  readonly perPhonePerDay?: number;
  readonly log?: (line: string) => void;
}

/** One process that sends messages, on the shared store of effects. */
export function openProcess(provider: MessageProvider, effectStore: EffectStore, on: MessagesOn = {}) {
  const { hasReports = false, perPhonePerDay = 20, log = () => {} } = on;
  const logger = createLogger({ service: 'test', level: 'trace', destination: { write: log } });
  const ended: string[] = [];
  const effects = runMessages({
    send: sendOnce({ provider, effectStore, hasReports, retryForMs: 3_600_000, settleMs: 120_000, logger }),
    effectStore,
    perPhonePerDay,
    logger,
    onEnded: (result) => ended.push(result),
  });
  const seal = inputSeal(keyringOf([{ id: 'k', bytes: Buffer.alloc(32, 5) }]));
  const effectRunner = new EffectRunner({ store: effectStore, effects, seal, logger });
  return {
    effectRunner,
    ended,
    /** A subscriber requests the message on a screen. */
    ask: async (key: string, phoneNumber = '+260971230567') => {
      const request = {
        effect: queueEffect,
        key,
        phoneNumber,
        service: 'default',
        language: 'en',
        account: undefined,
        entries: { amount: '250' },
        with: {},
        secret: undefined,
      };
      const position = { state: 'menu', language: 'en', choices: {}, page: 0, entries: request.entries };
      const messages = {
        queued: {
          operation: 'terms',
          text: '{appName}: {amount} for {phoneNumber}',
          facts: { appName: 'Shop', phoneNumber },
        },
      };
      const place = { flow: { id: 'default', version: 1 }, nonce: 'n', position, by: '1', messages };
      const subscriber = { aggregator: 'canonical', phoneNumber, serviceCode: '*384#' };
      const { outcome } = await effectRunner.act({ subscriber, place, request }, 5000);
      await effectRunner.acknowledge(key, 's');
      return outcome;
    },
    /** Runs the work that is due. */
    work: async () => {
      await effectRunner.resumeDue(100);
      await effectRunner.idle();
    },
    resultOf: async (key: string) => (await effectStore.find(`${key}${messageSuffix}`))?.outcome?.result,
  };
}
