/** Chunks that every page needs, and the code that loads the others. */
const main =
  /\/preact\/|page\/((main|app|ahead|shell\/.*)\.tsx?$|chain\/(open-views|parts\/(links|paths|requests))\.tsx?$)|vite\/preload-helper/;

/** The key of this browser. It loads before the chat and opens the key meanwhile. */
const identity =
  /oracle-client\/dist\/(browser-identity|api\/identity\/(signing-key|seed-key|web-crypto-key)|api\/requests\/values)\.js$|\/multiformats\/.*\/(base|bytes|base58|base64|base-x)\.js$|page\/(chat\/use-identity|link\/linked-phone)\.ts$/;

/** The client of an oracle, without its components. */
const client =
  /oracle-client\/dist\/(?!ui\/|words\/|live-agent|api\/identity\/write-token|hooks\/use-(memory-engine|user-preferences)).*\.js$|\/(@tanstack|eventsource-parser)\/|page\/chat\/(as-user|oracle-address)\.tsx?$/;

/** A chat without messages: Markdown, calls and voice notes load when the first one is shown. */
const chat =
  /oracle-client\/dist\/(words\/|ui\/(?!markdown\/(?!markdown|math)|call\/call-view|voice\/(recorder|sound))).*\.js$|page\/chat\/(?!developer\/(?!panel-frame)).*\.tsx?$/;

/** The chunks by name. Each further file costs a slow network more than its bytes. The first match takes a module. */
export const chunks = Object.entries({ main, identity, client, chat }).map(([name, test]) => ({ name, test }));
