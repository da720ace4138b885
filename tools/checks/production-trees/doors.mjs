import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ANSWER_WITHIN_MS = 20_000;

/**
 * @param {string} url
 * @param {{ headers?: Record<string, string>, body?: object }} [request] - a POST when it has a body
 * @returns {Promise<string>} the body of a reply with a status of success
 */
async function call(url, { headers = {}, body } = {}) {
  const reply = await fetch(url, {
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text.slice(0, 400)}`);
  return text;
}

/**
 * @param {string} what
 * @param {string} text
 * @param {RegExp} expected
 */
function expectText(what, text, expected) {
  if (!expected.test(text)) throw new Error(`${what} is not like ${expected}: ${text.slice(0, 400)}`);
}

/**
 * A dial gets the main menu.
 * @param {string} base
 */
export async function dial(base) {
  const body = { sessionId: 'tree-1', serviceCode: '*2233#', phoneNumber: '+254712345678', text: '' };
  expectText('the first screen', await call(`${base}/api/ussd`, { body }), /CON [^"]*1\. /);
}

/**
 * A query passes from HTTP to the chain node's gRPC and back.
 * @param {string} base
 */
export async function query(base) {
  const claims = JSON.parse(await call(`${base}/proto/claims/claims?pagination.limit=1`)).claims;
  if (claims?.length !== 1) throw new Error(`one claim was asked for, and ${claims?.length} came`);
}

/**
 * A user with a token opens a session, and has a message answered. The token is made by the command of the oracle's own tree.
 * @param {string} base
 * @param {{ tree: string, did: string }} oracle
 */
export async function turn(base, { tree, did }) {
  const ucan = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [join(tree, 'packages/ucan-auth/dist/cli.js'), ...args], { encoding: 'utf8' });
  const { seed } = JSON.parse(ucan('key'));
  const headers = {
    authorization: `Bearer ${ucan('invoke', '--audience', did, '--seed', seed).trim()}`,
    'x-auth-type': 'ucan',
  };
  const { sessionId } = JSON.parse(await call(`${base}/sessions`, { headers, body: {} }));
  const answer = await call(`${base}/messages/${sessionId}`, { headers, body: { message: 'My name is Asha' } });
  expectText('the answer', answer, /"content":"[^"]*Asha/);
}

/**
 * The page comes, and its script.
 * @param {string} base
 */
export async function page(base) {
  const html = await call(`${base}/`);
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(html) ?? [];
  expectText('the page', script, /\.js$/);
  await call(new URL(script, base).href);
}
