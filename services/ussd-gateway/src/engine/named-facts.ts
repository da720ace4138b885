import { engineTexts, type Flow, type Screen } from './flow.js';
import { optionsOf } from './ways-on.js';

/** The facts that a screen prints, in any of the flow's languages. */
export function namedFacts(flow: Flow, screen: Screen): string[] {
  const lines = screen.lines.flatMap((line) => (typeof line === 'string' ? [line] : Object.values(line.texts)));
  const labels = optionsOf(screen).flatMap(({ label }) => label ?? []);
  const keys = [...lines, ...labels, ...Object.values(engineTexts)];
  return Object.values(flow.texts).flatMap((texts) => keys.flatMap((key) => placeholdersIn(texts[key] ?? '')));
}

/** The facts that a text names. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
