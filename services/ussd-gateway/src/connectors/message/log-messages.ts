import { flushLogger, type Logger, maskMsisdn } from '@mlango/service-kit/logging';
import { countSegments } from '../../engine/sms-segments.js';
import type { MessageProvider } from './message-provider.js';

/** The sandbox: messages are lines of the log, the only ones that hold their words. */
export function logMessages(logger: Logger): MessageProvider {
  return {
    name: 'log',
    send: async ({ key, phoneNumber, text }) => {
      // Not as `text`, which no log of this service shows.
      logger.info(
        { to: maskMsisdn(phoneNumber), words: text, segments: countSegments(text), message: key },
        'a message',
      );
      await flushLogger(logger);
      return { kind: 'ended', result: 'sent' };
    },
  };
}
