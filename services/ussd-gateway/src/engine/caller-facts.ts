import type { Facts, Line } from './flow.js';

/** Facts about the caller, with their longest values. */
export const callerFactsAtMost = {
  phoneNumber: `+${'9'.repeat(15)}`,
  /** As named by the aggregator. */
  network: 'W'.repeat(20),
} as const;

/** Network of a caller if the aggregator does not name one. */
export const unknownNetwork = 'unknown';

/** @param network result of `networkName`. */
export function callerFacts(phoneNumber: string, network: string = unknownNetwork): Facts {
  return { phoneNumber, network };
}

/** The network named by an aggregator, as a word that fits on every screen; undefined if there is none. */
export function networkName(named: unknown): string | undefined {
  if (typeof named !== 'string' && typeof named !== 'number') return undefined;
  const word = String(named)
    .replaceAll(/[^\w .&+()/-]/g, '')
    .trim();
  return word.slice(0, callerFactsAtMost.network.length) || undefined;
}

type ChosenLine = Exclude<Line, string>;

/** Whether a line depends on the network of the caller and not on a choice. */
export function isByNetwork(line: Line): boolean {
  return typeof line !== 'string' && line.chosenBy === 'network';
}

/** Value for a line that depends on the network: lower case, `unknown` if the line has no text for the network. */
export function networkValue({ texts }: ChosenLine, { network = unknownNetwork }: Facts): string {
  const value = network.toLowerCase().replaceAll(/[^\w-]+/g, '-');
  return Object.hasOwn(texts, value) ? value : unknownNetwork;
}
