import { engineKeys, engineTexts, type Facts, type Flow, type Option, type TextKey } from './flow.js';
import type { Position } from './position.js';
import { show } from './show.js';

/** Runs one input on a position. Pure and total: whatever is typed leads to a screen of the flow. */
export function step(flow: Flow, position: Position, typed: string, facts: Facts): Position {
  const input = cleanInput(typed);
  if (input === engineKeys.exit) return enter(position, flow.exit);
  const screen = flow.screens[position.state];
  if (screen === undefined || screen.kind !== 'menu') return position;
  const option = [...screen.options, ...screen.navigation].find(({ key }) => key === input);
  if (option !== undefined) return follow(flow, position, option, facts);
  return turnPage(flow, position, input, facts) ?? refuse(flow, position, engineTexts.wrongChoice, facts);
}

/** What was typed, without the blanks and control characters that keypads and gateways add. */
function cleanInput(typed: string): string {
  return typed.replaceAll(/[\p{Control}\p{Format}]/gu, '').trim();
}

function follow(flow: Flow, position: Position, option: Option, facts: Facts): Position {
  if ('refuse' in option) return refuse(flow, position, option.refuse, facts);
  const { choose } = option;
  const choices = choose === undefined ? position.choices : { ...position.choices, [choose.name]: choose.value };
  return enter({ ...position, choices }, option.to);
}

function enter(position: Position, state: string): Position {
  return { state, language: position.language, choices: position.choices, page: 0 };
}

function turnPage(flow: Flow, position: Position, input: string, facts: Facts): Position | undefined {
  if (input !== engineKeys.more && input !== engineKeys.previous) return undefined;
  const shown = show(flow, position, facts);
  if (input === engineKeys.more) return shown.hasMore ? { ...position, page: position.page + 1 } : undefined;
  return shown.hasPrevious ? { ...position, page: position.page - 1 } : undefined;
}

/** The same page again, with the reason on top. */
function refuse(flow: Flow, position: Position, text: TextKey, facts: Facts): Position {
  const page = show(flow, position, facts).screenPage;
  // Earlier pages are as many as before the notice: it divides its own page only.
  return { ...position, page, notice: { text, page } };
}
