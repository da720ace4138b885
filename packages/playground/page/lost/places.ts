/** The places of the page by their address, with the words that lead there. */
export const places = [
  { path: ['phone'], name: 'Phone', says: 'a handset to dial with' },
  { path: ['phone', 'link'], name: 'Link a phone', says: 'read what a phone asks' },
  { path: ['chat'], name: 'Chat', says: 'ask the oracle' },
  { path: ['chain'], name: 'Chain', says: 'entities, claims, tokens, blocks' },
  { path: ['chain', 'entities'], name: 'Entities', says: 'oracles, projects, people' },
  { path: ['chain', 'claims'], name: 'Claims', says: 'and what was found of them' },
  { path: ['chain', 'tokens'], name: 'Tokens', says: 'and who minted them' },
  { path: ['chain', 'blocks'], name: 'Blocks', says: 'as they come' },
  { path: ['chain', 'queries'], name: 'All queries', says: 'what a node answers' },
  { path: ['account', 'you'], name: 'You', says: 'your DID, key and data' },
  { path: ['account', 'memory'], name: 'Memory', says: 'what the oracle knows of you' },
  { path: ['account', 'preferences'], name: 'Preferences', says: 'how it talks to you' },
  { path: ['account', 'keys'], name: 'API keys', says: 'for your scripts' },
  { path: ['account', 'credits'], name: 'Credits', says: 'what answers cost' },
] as const;
