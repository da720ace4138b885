/** What every view needs, and what asks for the rest. */
const main =
  /\/preact\/|page\/((main|app|ahead|shell\/.*)\.tsx?$|chain\/(open-views|asking\/(ahead|ask-chain)|here\/(paths|page-path|views))\.ts$)|vite\/preload-helper/;

/** What opens the key of this browser: it is there before the chat, and opens it meanwhile. */
const identity =
  /oracle-client\/dist\/(browser-identity|identity\/(?!write-token).*|requests\/new-id)\.js$|\/multiformats\/.*\/(base|bytes|base58|base64|base-x)\.js$|page\/(chat\/use-identity|link\/linked-phone)\.ts$/;

/** What talks with an oracle. */
const client =
  /oracle-client\/dist\/(?!ui\/|identity\/|live-agent|memories\/use|preferences\/use).*\.js$|\/(@tanstack|eventsource-parser)\/|page\/chat\/(as-user|oracle-address)\.tsx?$/;

/** What shows a chat in which nothing was said yet: how answers look, calls and voice notes come when there are any. */
const chat =
  /oracle-client\/dist\/ui\/(?!markdown\/(?!answer-text|load-markdown|markdown-context)|call\/call-view|voice\/(recorder|recorded-note|sound)).*\.js$|page\/chat\/(?!developer\/(?!panel-frame)).*\.tsx?$/;

/** Files of several modules: each further file costs a slow network more than its bytes. The first that fits takes a module. */
export const chunks = Object.entries({ main, identity, client, chat }).map(([name, test]) => ({ name, test }));
