/** A way that somebody takes through the page, from a wish to its end, and the test that takes it in a real browser, by the keyboard alone. */
export interface Journey {
  readonly name: string;
  /** The title of the test. */
  readonly test: string;
  /** Pictures that it keeps in `artifacts/screenshots`; `-*` stands for one in each look. */
  readonly pictures?: readonly string[];
  /** It is about something that goes wrong. */
  readonly isTrouble?: true;
}

/** All journeys, by the file that walks them. Whoever adds a view adds its journey, and whoever drops a test says here what walks it now. */
export const journeys: Readonly<Record<string, readonly Journey[]>> = {
  'home.integration.test.ts': [
    {
      name: 'see what is alive, and choose a door',
      test: 'show what is alive behind them, in every look',
      pictures: ['doors-*'],
    },
    {
      name: 'ask at the door, and go on in the chat',
      test: 'stream an answer to the question on one of them, which is gone on with in the chat',
    },
  ],
  'chat.integration.test.ts': [
    { name: 'ask, read the answer as it comes, and find it again', test: 'streams an answer, and keeps it' },
    {
      name: 'look something up, and follow its card to the chain',
      test: 'shows the card that the oracle has rendered of what it looked up, which leads to the explorer',
      pictures: ['chat-entity-*'],
    },
    { name: 'let the oracle use this tab', test: 'lets the oracle use a tool of this tab: it changes the theme' },
    { name: 'go on where a closed page was', test: 'goes on with an answer that was under way when the page was left' },
    {
      name: 'open an earlier conversation, and delete it',
      test: 'lists sessions, opens one again, deletes it, and takes that back',
    },
    { name: 'ask, and stop the answer', test: 'can be used with the keyboard alone' },
    {
      name: 'stop an answer, and find it marked',
      test: 'stops an answer, and keeps what was said',
      pictures: ['trouble-stopped-*'],
      isTrouble: true,
    },
    {
      name: 'lose the network in the middle of an answer',
      test: 'loses no character and doubles none when the network is cut in the middle of an answer',
      pictures: ['chat-cut'],
      isTrouble: true,
    },
  ],
  'chat-states.integration.test.ts': [
    {
      name: 'say a message in other words, and compare',
      test: 'says a message in other words, and goes back and forth between the versions',
      pictures: ['chat-editing-*', 'chat-versions-*'],
    },
    {
      name: 'say what was wrong with an answer',
      test: 'says what was wrong with an answer',
      pictures: ['chat-feedback-*'],
    },
    {
      name: 'name, archive and find conversations',
      test: 'names conversations, archives one, and finds what was said in another',
      pictures: ['chat-renaming-*', 'chat-found-*'],
    },
    {
      name: 'change the conversation on a phone, and take a delete back',
      test: 'changes the conversation on a phone, and takes a delete back',
      pictures: ['chat-drawer-*', 'chat-deleted-*'],
    },
    {
      name: 'read a long answer from its begin while it comes',
      test: 'reads a long answer from its begin while it comes, and goes to its end',
      pictures: ['chat-markdown-*', 'chat-away-*'],
    },
  ],
  'troubles.integration.test.ts': [
    {
      name: 'go from one conversation to another',
      test: 'goes from one conversation to another with the keyboard alone',
      pictures: ['chat-switched-by-keyboard'],
    },
    {
      name: 'send without a network, and retry',
      test: 'a message that finds no network stays, and goes by Retry, with the keyboard alone',
      pictures: ['trouble-offline-*'],
      isTrouble: true,
    },
    {
      name: 'see that a tool failed',
      test: 'a tool that failed says so, now and after a reload',
      pictures: ['trouble-failed-tool-*'],
      isTrouble: true,
    },
    {
      name: 'see that the model failed',
      test: 'an answer whose model broke says that it is not whole, now and after a reload',
      pictures: ['trouble-model-failed-*'],
      isTrouble: true,
    },
    {
      name: 'see that an answer was too long',
      test: 'an answer as long as it may be says that it was cut short, now and after a reload',
      pictures: ['trouble-length-limited-*'],
      isTrouble: true,
    },
    {
      name: 'open a conversation that is gone',
      test: 'a conversation that is not there says so, and a new one can be begun',
      pictures: ['trouble-unknown-session-*'],
      isTrouble: true,
    },
    {
      name: 'open somebody else’s conversation',
      test: 'a conversation of somebody else is as if it were not there',
      pictures: ['trouble-foreign-session-*'],
      isTrouble: true,
    },
  ],
  'two-tabs.integration.test.ts': [
    {
      name: 'be in two tabs at once',
      test: 'show the same message and its growing answer, once, and say that the other one asked',
      pictures: ['chat-other-tab'],
    },
  ],
  'approvals.integration.test.ts': [
    {
      name: 'allow a call, from another tab',
      test: 'is shown with all of its arguments, after a reload and in another tab too, and goes on when it is allowed there',
      pictures: ['chat-approval-*'],
    },
    { name: 'deny a call, and say why', test: 'is denied with a reason, by the keyboard alone' },
    {
      name: 'allow a tool for good',
      test: 'is not asked for again once its user has said always, by the keyboard alone',
    },
    {
      name: 'see what is always allowed, and take it back',
      test: 'is asked for again once what was said for good is taken back, by the keyboard alone',
      pictures: ['account-always-*', 'account-always-none-*'],
    },
  ],
  'attachments.integration.test.ts': [
    {
      name: 'send files, and open them again',
      test: 'are chosen and sent by the keyboard alone, and are there after a reload',
      pictures: ['chat-attaching-*', 'chat-attached-*'],
    },
    {
      name: 'choose a file that cannot be read',
      test: 'that the oracle cannot read say so, and are taken away again',
      pictures: ['chat-attachment-refused-*'],
      isTrouble: true,
    },
  ],
  'developer-panel.integration.test.ts': [
    {
      name: 'look into a run, and hand it on',
      test: 'tells how a run went, steps through it again, and hands it on as a file: $name',
    },
    {
      name: 'open the panel before there is a run, and after',
      test: 'is sound before there is a run, and with one',
      pictures: ['developer-panel-empty-*', 'developer-panel-*'],
    },
  ],
  'chain.integration.test.ts': [
    { name: 'find, follow and query the chain', test: 'can be used with the keyboard alone' },
    {
      name: 'share a filtered list as of a block',
      test: 'keeps filters and the block that is looked at in the address, over links too',
    },
    {
      name: 'look for a claim that is not there',
      test: 'says what is not there in the words of the chain',
      pictures: ['lost-claim-*'],
      isTrouble: true,
    },
  ],
  'phone.integration.test.ts': [
    { name: 'dial, sign up and log in', test: 'signs somebody up and logs them in, key by key' },
    { name: 'dial, answer and hang up', test: 'can be used with the keyboard alone' },
    { name: 'dial where there is no gateway', test: 'says what a network says, and nothing breaks', isTrouble: true },
  ],
  'phone-link.integration.test.ts': [
    {
      name: 'read on the web what a phone asked',
      test: 'is asked in Swahili, read and gone on with in the page, and closed to it by the phone',
      pictures: ['phone-link-*', 'phone-linked-*'],
    },
  ],
  'account.integration.test.ts': [
    {
      name: 'see, correct and export what is remembered',
      test: 'shows what is remembered, finds it, forgets it and takes that back, and gives it as a file',
      pictures: ['account-memory-*'],
    },
    {
      name: 'say how one wants to be talked to',
      test: 'sets how one is talked to, and clears it again',
      pictures: ['account-preferences-*'],
    },
    {
      name: 'make a key for a script, and revoke it',
      test: 'makes a key by the keyboard alone, shows it once, and revokes it',
      pictures: ['account-key-made-*', 'account-keys-*', 'account-key-revoking-*'],
    },
    {
      name: 'be the same person in another browser',
      test: 'takes a key to another browser, and forgets it',
      pictures: ['account-you-*', 'account-forgetting-*'],
    },
    {
      name: 'take one’s data along, and have it deleted',
      test: 'gives all that is kept of one as a file, and deletes it with a receipt',
    },
    {
      name: 'be asked to pay, top up, and be answered',
      test: 'explains a message that is not paid for, tops up, and sends it then',
      pictures: ['chat-unpaid-*', 'account-credits-none-*', 'account-credits-*'],
      isTrouble: true,
    },
  ],
  'shell.integration.test.ts': [
    {
      name: 'come by a mistyped address or a broken escape',
      test: 'says of an address that is none what may have been meant, by whichever way one comes',
      pictures: ['lost-*'],
      isTrouble: true,
    },
  ],
};
