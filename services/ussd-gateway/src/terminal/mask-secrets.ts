import type { Exchange } from './transcript.js';

const customerId = /\bC[0-9A-Z]{8}\b/g;

/**
 * Replaces what must not be written down by placeholders: PINs by `{PIN 1}`, `{PIN 2}`, equal ones by the same, and
 * Customer IDs by `{Customer ID}`. A PIN is what is typed where the screen asks for one, unless it is one of its keys.
 */
export function maskSecrets(exchanges: readonly Exchange[]): Exchange[] {
  const pins: string[] = [];
  const nameOf = (pin: string) => {
    if (!pins.includes(pin)) pins.push(pin);
    return `{PIN ${pins.indexOf(pin) + 1}}`;
  };
  return exchanges.map(({ typed, message, closes }, index) => {
    const before = exchanges[index - 1]?.message;
    const isSecret = before !== undefined && isPin(typed, before);
    const shown = isSecret ? nameOf(typed) : typed.replace(/^C[0-9A-Z]{8}$/i, '{Customer ID}');
    return { typed: shown, message: message.replaceAll(customerId, '{Customer ID}'), closes };
  });
}

/** Whether an input on a screen is a PIN, right or wrong. A single character is a choice that is not on the menu. */
function isPin(typed: string, screen: string): boolean {
  const lines = screen.split('\n').map((line) => ({ line, key: /^(\S{1,3})\. /.exec(line)?.[1] }));
  const asks = lines.some(({ line, key }) => key === undefined && /\bPIN\b/i.test(line));
  return asks && typed.length > 1 && !lines.some(({ key }) => key === typed);
}
