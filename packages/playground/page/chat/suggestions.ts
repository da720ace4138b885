import type { Suggestion } from '@mlango/oracle-client/ui';

/** Things to say that show what a chat can do, with what they show. */
export const suggestions: readonly Suggestion[] = [
  { says: 'What can you do?', shows: 'an answer, word by word' },
  { says: 'Count to 400', shows: 'a long one: cut the network in the middle' },
  { says: 'Look up entity did:ixo:entity:e0001', shows: 'a tool, and a card made of what it found' },
  { says: 'Set the theme to dark', shows: 'a tool that runs in this tab' },
  { says: 'Pin note "water the mangoes"', shows: 'an action of this page' },
  { says: 'Remember that my goat is called Zuri', shows: 'a memory that outlives the session' },
];
