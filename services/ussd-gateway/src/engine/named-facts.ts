import { engineTexts, type Flow, type Screen, type TextKey } from './flow.js';
import { optionsOf } from './ways-on.js';

/** The keys of all texts that a screen prints: its lines, for every choice, and what it offers. */
export function printedTexts(screen: Screen): TextKey[] {
  const lines = screen.lines.flatMap((line) => (typeof line === 'string' ? [line] : Object.values(line.texts)));
  return [...lines, ...optionsOf(screen).flatMap(({ label }) => label ?? [])];
}

/** The facts that a screen prints, in any of the flow's languages. */
export function namedFacts(flow: Flow, screen: Screen): string[] {
  const keys = [...printedTexts(screen), ...Object.values(engineTexts)];
  return Object.values(flow.texts).flatMap((texts) => keys.flatMap((key) => placeholdersIn(texts[key] ?? '')));
}

/** The facts that a text names. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
