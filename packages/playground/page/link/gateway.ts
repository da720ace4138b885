import type { BrowserIdentity, ConverseGrant } from '@mlango/oracle-client/browser-identity';

const base = '/ussd/api/ussd/link';

/** Links the user of this browser with the phone of a code. Rejects with what to tell them. */
export function claimPhone(user: BrowserIdentity, code: string): Promise<ConverseGrant> {
  return call(user, base, { code });
}

/** A code to type on a phone, and for how many minutes it is good. Rejects with what to tell the user. */
export function makeCode(user: BrowserIdentity): Promise<{ readonly code: string; readonly minutes: number }> {
  return call(user, `${base}/codes`);
}

async function call<Reply>(user: BrowserIdentity, path: string, body: object = {}): Promise<Reply> {
  const { did } = await answerOf<{ did: string }>(await fetch(base));
  const { serialized } = await user.createInvocation(did);
  const headers = { 'content-type': 'application/json', 'x-auth-type': 'ucan', authorization: `Bearer ${serialized}` };
  return answerOf(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }), path);
}

const off = 'Phones cannot be linked here: this gateway is not set up to ask an oracle.';
const unknown = 'This code is not valid. Check it, or type it on the phone first.';

async function answerOf<Reply>(reply: Response, path?: string): Promise<Reply> {
  const body = (await reply.json()) as Reply & { readonly message?: string };
  if (reply.ok) return body;
  if (reply.status === 404) throw new Error(path === base ? unknown : off);
  throw new Error(body.message ?? `The gateway refused the request (${reply.status}). Try again.`);
}
