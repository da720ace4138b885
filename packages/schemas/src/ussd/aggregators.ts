import { z } from 'zod';
import { phoneNumberPattern, serviceCodePattern, typedText, ussdLimits, ussdSessionId } from './session.js';

// Fields that requests of telecom gateways have in common. JSON encoders of gateways differ in quoting, so whole numbers pass for
// texts. A null is an absent field.

/** Read if it is a word. */
const network = z.unknown().optional().meta({ description: "The caller's network", example: 'MTN' });

const word = z.union([z.string(), z.int().min(0).transform(String)]);
const input = word.pipe(typedText(ussdLimits.textChars));
/** Gateways that send the whole input of a session at every hop; only the new part counts. */
const accumulated = word.pipe(typedText(ussdLimits.accumulatedChars));
const sessionId = word.pipe(ussdSessionId);

/** A subscriber number with or without `+`, which a form that was not encoded turns into a blank. */
const msisdn = word
  .transform((number) => `+${number.replace(/^[+ ]/, '')}`)
  .pipe(z.string().regex(phoneNumberPattern))
  .meta({ description: 'Subscriber number, international, `+` optional', example: '233200585542' });

/** `713`, `*713` or `*713#`. */
const serviceCode = (levels: number) =>
  word
    .transform((code) => `*${code.replace(/^\*/, '').replace(/#$/, '')}#`)
    .pipe(z.string().regex(serviceCodePattern(levels)));

const sequence = word.pipe(z.string().regex(/^[0-9]{1,9}$/)).describe('Counts the requests of a session');

/** The fields by their meaning, for the schemas of adapters. */
export const aggregatorFields = {
  accumulated,
  input,
  msisdn,
  network,
  serviceCode,
  sequence,
  sessionId,
  word,
} as const;
