/** The services, in the order of the page, with the command that starts each. */
export const services = [
  {
    id: 'phone',
    name: 'Phone',
    title: 'A phone without internet',
    description: 'Dial a code on any phone and follow the menus. Each key press is one request of a telecom gateway.',
    invites: 'Open the phone',
    start: 'node services/ussd-gateway/dist/main.js',
  },
  {
    id: 'chat',
    name: 'Chat',
    title: 'Chat with an oracle',
    description: 'Answers are streamed, survive a network failure, and can use tools in your browser.',
    invites: 'Open the chat',
    start: 'node services/oracle-api/dist/main.js',
  },
  {
    id: 'chain',
    name: 'Chain',
    title: 'Explore the chain',
    description: 'Entities, claims and tokens, and every other query a node answers, as JSON over HTTP.',
    invites: 'Open the explorer',
    start: 'node services/proto-gateway/dist/main.js',
  },
] as const;
