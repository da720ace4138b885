/** A user's path through the page, and the test that follows it in a real browser by keyboard. */
export interface Journey {
  readonly name: string;
  /** The title of the test. */
  readonly test: string;
  /** Screenshots in `artifacts/screenshots`; `-*` means one per theme. */
  readonly pictures?: readonly string[];
  /** It is about a failure. */
  readonly isTrouble?: true;
}

/** All journeys by test file. A new view adds its journey here. */
export const journeys: Readonly<Record<string, readonly Journey[]>> = {
  'home.integration.test.ts': [
    {
      name: 'see the previews and open a service',
      test: 'shows live previews of the services in both themes',
      pictures: ['doors-*'],
    },
    {
      name: 'read an answer on the home page and continue in the chat',
      test: 'shows an answer without a click, which can be continued in the chat, and requests it once',
    },
  ],
  'chat.integration.test.ts': [
    { name: 'send a message, read the streamed answer, and reopen it', test: 'streams an answer and stores it' },
    {
      name: 'look something up, and follow its card to the chain',
      test: 'shows an entity card that links to the explorer',
      pictures: ['chat-entity-*'],
    },
    { name: 'let the oracle use this tab', test: 'lets the oracle use a tool of this tab: it changes the theme' },
    {
      name: 'continue an answer after the page was closed',
      test: 'continues an answer that was running when the page was left',
    },
    {
      name: 'open an earlier conversation, and archive it',
      test: 'lists sessions, opens one again, archives it, and undoes that',
    },
    { name: 'send a message, and stop the answer', test: 'can be used with the keyboard alone' },
    {
      name: 'stop an answer, and find it marked',
      test: 'stops an answer and preserves its text',
      pictures: ['trouble-stopped-*'],
      isTrouble: true,
    },
    {
      name: 'lose the network in the middle of an answer',
      test: 'neither loses nor repeats a character when the network is cut during an answer',
      pictures: ['chat-cut'],
      isTrouble: true,
    },
  ],
  'chat-states.integration.test.ts': [
    {
      name: 'edit a message and compare the versions',
      test: 'edits a message, and switches between the versions',
      pictures: ['chat-editing-*', 'chat-versions-*'],
    },
    {
      name: 'give feedback on an answer',
      test: 'sends feedback on an answer',
      pictures: ['chat-feedback-*'],
    },
    {
      name: 'name, archive and find conversations',
      test: 'renames, archives and searches conversations',
      pictures: ['chat-renaming-*', 'chat-found-*'],
    },
    {
      name: 'change, archive and delete a conversation on a phone',
      test: 'switches the conversation on a phone, and archives, restores and deletes it',
      pictures: ['chat-drawer-*', 'chat-archived-*', 'chat-deleting-*'],
    },
    {
      name: 'read a long answer from its beginning while it streams',
      test: 'starts a long answer at its beginning while it streams, and scrolls to its end',
      pictures: ['chat-markdown-*', 'chat-away-*'],
    },
  ],
  'troubles.integration.test.ts': [
    {
      name: 'go from one conversation to another',
      test: 'switches conversations with the keyboard alone',
      pictures: ['chat-switched-by-keyboard'],
    },
    {
      name: 'send without a network, and retry',
      test: 'a message without a network stays, and is sent by Retry, with the keyboard alone',
      pictures: ['trouble-offline-*'],
      isTrouble: true,
    },
    {
      name: 'see that a tool failed',
      test: 'a failed tool is shown as failed, also after a reload',
      pictures: ['trouble-failed-tool-*'],
      isTrouble: true,
    },
    {
      name: 'see that the model failed',
      test: 'an answer of a failing model is marked incomplete, also after a reload',
      pictures: ['trouble-model-failed-*'],
      isTrouble: true,
    },
    {
      name: 'see that an answer was too long',
      test: 'an answer at the length limit is marked as cut, also after a reload',
      pictures: ['trouble-length-limited-*'],
      isTrouble: true,
    },
    {
      name: 'open a deleted conversation',
      test: 'a missing conversation is reported, and a new one can be started',
      pictures: ['trouble-unknown-session-*'],
      isTrouble: true,
    },
    {
      name: 'open another user’s conversation',
      test: 'a conversation of another user is reported as missing',
      pictures: ['trouble-foreign-session-*'],
      isTrouble: true,
    },
  ],
  'two-tabs.integration.test.ts': [
    {
      name: 'use two tabs at once',
      test: 'show the same message and streaming answer once, and name the other tab',
      pictures: ['chat-other-tab'],
    },
  ],
  'approvals.integration.test.ts': [
    {
      name: 'allow a call, from another tab',
      test: 'is shown with all of its arguments, also after a reload and in another tab, and continues when it is allowed there',
      pictures: ['chat-approval-*'],
    },
    { name: 'deny a call with a reason', test: 'is denied with a reason, by the keyboard alone' },
    {
      name: 'always allow a tool',
      test: 'is not requested again after “always”, by keyboard',
    },
    {
      name: 'list allowed tools and remove one',
      test: 'is requested again after the rule is removed, by keyboard',
      pictures: ['account-always-*', 'account-always-none-*'],
    },
  ],
  'attachments.integration.test.ts': [
    {
      name: 'send files, and open them again',
      test: 'are selected and sent by the keyboard alone, and are shown after a reload',
      pictures: ['chat-attaching-*', 'chat-attached-*'],
    },
    {
      name: 'choose a file that cannot be read',
      test: 'of an unsupported type show an error and can be removed',
      pictures: ['chat-attachment-refused-*'],
      isTrouble: true,
    },
  ],
  'developer-panel.integration.test.ts': [
    {
      name: 'inspect a run, and save it to a file',
      test: 'shows a run, replays it, and saves it to a file: $name',
    },
    {
      name: 'open the panel before there is a run, and after',
      test: 'has no serious fault without a run, and with one',
      pictures: ['developer-panel-empty-*', 'developer-panel-*'],
    },
  ],
  'chain.integration.test.ts': [
    { name: 'find, follow and query the chain', test: 'can be used with the keyboard alone' },
    {
      name: 'share a filtered list as of a block',
      test: 'preserves filters and the selected block in the address, also across links',
    },
    {
      name: 'open a missing claim',
      test: 'shows the chain’s error for a missing object',
      pictures: ['lost-claim-*'],
      isTrouble: true,
    },
  ],
  'phone.integration.test.ts': [
    { name: 'dial, sign up and log in', test: 'signs a user up and logs in, key by key' },
    { name: 'dial, answer and hang up', test: 'can be used with the keyboard alone' },
    { name: 'dial without a gateway', test: 'shows a network error, and stays usable', isTrouble: true },
  ],
  'phone-link.integration.test.ts': [
    {
      name: 'read a phone’s conversation on the web',
      test: 'is started in Swahili by phone, continued in the page, and closed by the phone',
      pictures: ['phone-link-*', 'phone-linked-*'],
    },
  ],
  'account.integration.test.ts': [
    {
      name: 'list, correct and export memories',
      test: 'lists, searches, deletes, restores and exports memories',
      pictures: ['account-memory-*'],
    },
    {
      name: 'set preferences',
      test: 'sets the form of address, and clears it again',
      pictures: ['account-preferences-*'],
    },
    {
      name: 'make a key for a script, and revoke it',
      test: 'creates a key by the keyboard alone, shows it once, and revokes it',
      pictures: ['account-key-made-*', 'account-keys-*', 'account-key-revoking-*'],
    },
    {
      name: 'use the same identity in another browser',
      test: 'transfers a key to another browser, and deletes it',
      pictures: ['account-you-*', 'account-forgetting-*'],
    },
    {
      name: 'export all data, and delete it',
      test: 'exports all data, and deletes it with a receipt',
    },
    {
      name: 'pay for a message and get the answer',
      test: 'explains an unpaid message, tops up, and then sends it',
      pictures: ['chat-unpaid-*', 'account-credits-none-*', 'account-credits-*'],
      isTrouble: true,
    },
  ],
  'shell.integration.test.ts': [
    {
      name: 'open a mistyped address or a broken escape',
      test: 'suggests the closest match for an unknown address',
      pictures: ['lost-*'],
      isTrouble: true,
    },
  ],
};
