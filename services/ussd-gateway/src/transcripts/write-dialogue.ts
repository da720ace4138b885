import type { UssdDialogue, UssdWrittenDialogue } from '@mlango/schemas/ussd-simulator';
import { callerFacts } from '../engine/caller-facts.js';
import type { Facts, Flow } from '../engine/flow.js';
import { findAnswers } from './find-answers.js';
import { maskCustomerIds, maskSecrets } from './mask-secrets.js';
import { PaperGateway } from './paper-gateway.js';
import { playedPhone, playTranscript } from './play-transcript.js';
import { printTranscript } from './transcript.js';

/**
 * A dialogue that was had on a phone, as a transcript that `ussd test` plays: without PINs, Customer IDs and the phone's number,
 * and with what others must have answered. Else why it is none. Pure.
 */
export function writeDialogue(
  { title, phoneNumber, exchanges }: UssdDialogue,
  flow: Flow,
  facts: Facts,
): UssdWrittenDialogue {
  const dialogue = exchanges.map((one) => ({ ...one, message: one.message.replaceAll(phoneNumber, playedPhone) }));
  if (dialogue[0]?.dials !== true) return { says: 'it does not begin with a dial' };
  const known = { ...callerFacts(playedPhone), ...facts };
  const found = findAnswers(dialogue, flow, known);
  if (found.at !== undefined) return { says: `screen ${found.at + 1} cannot be played again: ${found.says}` };
  const gateway = new PaperGateway(flow, known);
  const answered = dialogue.map((exchange, index) => {
    const answers = (found.answers[index] ?? []).map(({ facts: told, ...answer }) => ({
      ...answer,
      facts: Object.fromEntries(Object.entries(told).map(([name, value]) => [name, maskCustomerIds(value)])),
    }));
    const { sms } = exchange.dials ? gateway.dial(answers) : gateway.type(exchange.typed, answers);
    return { ...exchange, answers, sms };
  });
  const text = printTranscript({ title, exchanges: maskSecrets(answered) });
  const { failed } = playTranscript(text, flow, facts);
  return failed === undefined
    ? { text }
    : { says: `line ${failed.line} of it cannot be played: ${failed.says ?? failed.got}` };
}
