import type { Facts, Line } from './flow.js';

/** The facts that a session has of its caller, with their longest values. */
export const callerFactsAtMost = {
  phoneNumber: `+${'9'.repeat(15)}`,
  /** As the aggregator names it. */
  network: 'W'.repeat(20),
} as const;

/** The network of a caller whose aggregator does not name it. */
export const unknownNetwork = 'unknown';

/** @param network as `networkName` gives it. */
export function callerFacts(phoneNumber: string, network: string = unknownNetwork): Facts {
  return { phoneNumber, network };
}

/** The network that an aggregator names, as a word that every screen has room for; undefined if there is none. */
export function networkName(named: unknown): string | undefined {
  if (typeof named !== 'string' && typeof named !== 'number') return undefined;
  const word = String(named)
    .replaceAll(/[^\w .&+()/-]/g, '')
    .trim();
  return word.slice(0, callerFactsAtMost.network.length) || undefined;
}

type ChosenLine = Exclude<Line, string>;

/** Whether a line depends on the network of the caller, and not on a choice. */
export function isByNetwork(line: Line): boolean {
  return typeof line !== 'string' && line.chosenBy === 'network';
}

/** The value of a line that depends on the network: in small letters, and `unknown` for a network that the line does not have. */
export function networkValue({ texts }: ChosenLine, { network = unknownNetwork }: Facts): string {
  const value = network.toLowerCase().replaceAll(/[^\w-]+/g, '-');
  return Object.hasOwn(texts, value) ? value : unknownNetwork;
}
