import { asciiDigits } from '../engine/decimal-digits.js';
import type { Exchange } from './transcript.js';

const customerId = /\bC[0-9A-Z]{8}\b/g;

/** One that nobody has, for answers that tell of one. */
export function maskCustomerIds(text: string): string {
  return text.replaceAll(customerId, 'C7K2M9PQ4');
}

/**
 * Replaces what must not be written down by placeholders: PINs by `{PIN 1}`, `{PIN 2}`, equal ones by the same, and
 * Customer IDs by `{Customer ID}`. A PIN is what is typed where a screen asks for one, unless it is one of its keys.
 */
export function maskSecrets<Masked extends Exchange>(exchanges: readonly Masked[]): Masked[] {
  const asked = exchanges.filter(({ typed }, index) => isPin(typed, exchanges[index - 1]?.message ?? ''));
  const pins = [...new Set(asked.map(({ typed }) => asciiDigits(typed)))];
  return exchanges.map((exchange) => {
    const { typed, message } = exchange;
    const read = asciiDigits(typed);
    // Also where it was typed on the wrong screen.
    const shown = pins.includes(read)
      ? `{PIN ${pins.indexOf(read) + 1}}`
      : /^C[0-9A-Z]{8}$/i.test(read)
        ? '{Customer ID}'
        : typed;
    return { ...exchange, typed: shown, message: message.replaceAll(customerId, '{Customer ID}') };
  });
}

/** Whether an input on a screen is a PIN, right or wrong. A single character is a choice that is not on the menu. */
function isPin(typed: string, screen: string): boolean {
  const lines = screen.split('\n').map((line) => ({ line, key: /^(\S{1,3})\. /.exec(line)?.[1] }));
  const asks = lines.some(({ line, key }) => key === undefined && /\bPIN\b/i.test(line));
  return asks && typed.length > 1 && !lines.some(({ key }) => key === asciiDigits(typed));
}
