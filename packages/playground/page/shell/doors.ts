/** The doors, in the order of the page, and what starts the service behind each. */
export const doors = [
  {
    id: 'phone',
    name: 'Phone',
    title: 'A phone without internet',
    says: 'Dial a code on any phone and follow the menus. Each key press is one request of a telecom gateway.',
    invites: 'Pick up the phone',
    start: 'node services/ussd-gateway/dist/main.js',
  },
  {
    id: 'chat',
    name: 'Chat',
    title: 'An oracle to talk to',
    says: 'Answers arrive word by word, survive a lost network, and can use tools here in your browser.',
    invites: 'Begin to talk',
    start: 'node services/oracle-api/dist/main.js',
  },
  {
    id: 'chain',
    name: 'Chain',
    title: 'A chain to look into',
    says: 'Entities, claims and tokens, and every other query a node answers, as JSON over HTTP.',
    invites: 'Look around',
    start: 'node services/proto-gateway/dist/main.js',
  },
] as const;
