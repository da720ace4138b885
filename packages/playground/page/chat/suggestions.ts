import type { Suggestion } from '@mlango/oracle-client/ui';

/** Things to say that show what a chat can do, with what they show. */
export const suggestions: readonly Suggestion[] = [
  { says: 'What can you do?', shows: 'a streamed answer' },
  { says: 'Count to 400', shows: 'a long answer: cut the network meanwhile' },
  { says: 'Look up entity did:ixo:entity:e0001', shows: 'a tool, and a card with its result' },
  { says: 'Set the theme to dark', shows: 'a tool that runs in this tab' },
  { says: 'Pin note "water the mangoes"', shows: 'an action in this page' },
  { says: 'Remember that my goat is called Zuri', shows: 'a memory that is kept for later conversations' },
];
