/**
 * The output of `npm start` when all services are ready: the addresses and three commands to copy.
 * @param {(name: string) => string} address - `host:port` of a service
 * @returns {string[]} lines
 */
export function banner(address) {
  const ussd = `http://${address('ussd-gateway')}`;
  const oracle = `http://${address('oracle-api')}`;
  const proto = `http://${address('proto-gateway')}`;
  const json = "-H 'content-type: application/json'";
  const authorised = `curl -sS -H "authorization: Bearer $TOKEN" -H 'x-auth-type: ucan' ${json}`;
  return [
    '',
    'Mlango is ready. Open the playground:',
    '',
    `  http://${address('playground')}`,
    '',
    `  USSD    ${ussd}    docs ${ussd}/docs`,
    `  Oracle  ${oracle}    docs ${oracle}/docs`,
    `  Chain   ${proto}    docs ${proto}/docs`,
    '',
    '# Phone: dial the main menu',
    `curl -sS ${json} -d '{"sessionId":"try-1","serviceCode":"*2233#","phoneNumber":"+254712345678","text":""}' ${ussd}/api/ussd`,
    '# Chain: read one claim',
    `curl -sS '${proto}/proto/claims/claims?pagination.limit=1'`,
    '# Chat: open a session and stream an answer',
    'TOKEN=$(npm run -s token)',
    `SESSION=$(${authorised} -X POST ${oracle}/sessions | sed 's/.*"sessionId":"\\([^"]*\\)".*/\\1/')`,
    `${authorised} -N -d '{"message":"What can you do?","stream":true}' ${oracle}/messages/$SESSION`,
    '',
    'Ctrl-C stops all services. Data stays in .data/.',
    '',
  ];
}
