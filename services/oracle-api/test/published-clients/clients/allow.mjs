/** Allows the pending call at the address in a text, by the oracle's own route. */
export async function allow({ url, token }, text) {
  const [path] = /\/runs\/\S+\/approvals\/[\w-]+/.exec(text);
  const headers = { authorization: `Bearer ${token}`, 'x-auth-type': 'ucan', 'content-type': 'application/json' };
  await fetch(`${url}${path}`, { method: 'POST', headers, body: '{"decision":"allow"}' });
  return { text: path };
}
