import { pagePath } from '../here/page-path.js';
import { paths } from '../here/paths.js';
import { type Answer, askChain } from './ask-chain.js';

const lists: Readonly<Record<string, string>> = {
  entities: paths.entities,
  claims: paths.claims,
  collections: paths.collections,
  validators: paths.validators,
};

let ahead: { readonly path: string; readonly asking: Promise<Answer>; answer?: Answer } | undefined;

/** Asks for what the view of an address will ask for first, where that is its list, so that the answer comes beside the view. */
export function askAhead([door, view = 'entities', id]: readonly string[], look: URLSearchParams): void {
  const list = lists[view];
  if (door !== 'chain' || list === undefined || id !== undefined || look.size > 0) return;
  const path = pagePath(list, 1);
  const asking = askChain(path, new AbortController().signal);
  const asked: typeof ahead = { path, asking };
  ahead = asked;
  void asking.then((answer) => {
    asked.answer = answer;
  });
}

/** What was asked for ahead, if it is there already. */
export function answeredAhead(path: string | undefined): Answer | undefined {
  return ahead?.path === path ? ahead?.answer : undefined;
}

/** What was asked for ahead, once: whoever asks again wants to know how it is now. */
export function takeAhead(path: string): Promise<Answer> | undefined {
  if (ahead?.path !== path) return undefined;
  const { asking } = ahead;
  ahead = undefined;
  return asking;
}
