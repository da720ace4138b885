/** @typedef {import('./run-services.mjs').Running} Running */

/**
 * What `npm start` prints when all is ready: the addresses, a token, and one line to copy for each door.
 * @param {(name: string) => string} address - `host:port` of a service
 * @param {{ token: string } | { problem: string }} invocation
 * @returns {string[]} lines
 */
export function banner(address, invocation) {
  const ussd = `http://${address('ussd-gateway')}`;
  const oracle = `http://${address('oracle-api')}`;
  const proto = `http://${address('proto-gateway')}`;
  const head = [
    '',
    'Mlango is ready. See it all on one page:',
    '',
    `  http://${address('playground')}`,
    '',
    `  USSD    ${ussd}    docs ${ussd}/docs`,
    `  Oracle  ${oracle}    docs ${oracle}/docs`,
    `  Chain   ${proto}    docs ${proto}/docs`,
    '',
  ];
  const doors = [
    '# Dial: the main menu',
    `curl -sS -H 'content-type: application/json' -d '{"sessionId":"try-1","serviceCode":"*2233#","phoneNumber":"+254712345678","text":""}' ${ussd}/api/ussd`,
    '# A claim on the chain',
    `curl -sS '${proto}/proto/claims/claims?pagination.limit=1'`,
  ];
  if ('problem' in invocation) return [...head, ...doors, '', `No token for the chat: ${invocation.problem}`, ''];
  return [
    ...head,
    'Token, for a few minutes (a new one: node services/oracle-api/dist/dev-token.js):',
    invocation.token,
    '',
    ...doors,
    '# A chat turn, streamed, in a new session',
    chatTurn(oracle, invocation.token),
    '',
    'Ctrl-C stops everything; what was stored stays in .data/.',
    '',
  ];
}

/**
 * One command line that opens a session and streams a turn in it.
 * @param {string} oracle - base URL
 * @param {string} token
 */
function chatTurn(oracle, token) {
  const call = `curl -sS -H 'authorization: Bearer ${token}' -H 'x-auth-type: ucan' -H 'content-type: application/json'`;
  const sessionId = `$(${call} -X POST ${oracle}/sessions | sed -n 's/.*"sessionId":"\\([^"]*\\)".*/\\1/p')`;
  return `${call} -N -d '{"message":"Hello! What can you do?","stream":true}' ${oracle}/messages/${sessionId}`;
}
