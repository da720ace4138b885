/*
 * How each telecom gateway asks and reads, by id. `hop` makes the request of one hop, `read` takes the screen out of a
 * reply, `hangUp` tells that the user left, where the gateway tells at all. A session is
 * { id, number, code, inputs, input, hops }: `inputs` are all so far, `input` is the last one, `hops` counts requests.
 */
const jsonHeaders = { 'content-type': 'application/json' };
const post = (path, body) => ({ method: 'POST', path, headers: jsonHeaders, body: JSON.stringify(body, null, 2) });
const put = (path, body) => ({ ...post(path, body), method: 'PUT' });
const form = (path, fields) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

const plain = (number) => number.replace('+', '');
const isDial = (session) => session.inputs.length === 0;
/** What stands in the field for the last input: on the dial it is the code. */
const lastInput = (session) => (isDial(session) ? session.code : session.input);
const readText = ({ text }) => ({ message: text.replace(/^(CON|END) /, ''), closes: !text.startsWith('CON ') });
const readJson = (pick) => (reply) => pick(JSON.parse(reply.text));

const infobip = (session, step) => `/api/ussd/infobip/session/${encodeURIComponent(session.id)}/${step}`;

export const aggregators = {
  canonical: {
    hop: ({ id, number, code, inputs }) =>
      post('/api/ussd', { sessionId: id, serviceCode: code, phoneNumber: number, text: inputs.join('*') }),
    read: readText,
  },
  africastalking: {
    hop: ({ id, number, code, inputs }) =>
      form('/api/ussd/africastalking', {
        sessionId: id,
        phoneNumber: number,
        networkCode: '99999',
        serviceCode: code,
        text: inputs.join('*'),
      }),
    read: readText,
    hangUp: ({ id, number, code, hops }) =>
      form('/api/ussd/africastalking/events', {
        sessionId: id,
        phoneNumber: number,
        serviceCode: code,
        status: 'Incomplete',
        hopsCount: String(hops),
      }),
  },
  hubtel: {
    hop: (session) =>
      post('/api/ussd/hubtel', {
        Type: isDial(session) ? 'Initiation' : 'Response',
        Message: lastInput(session),
        ServiceCode: session.code.replace(/[*#]/g, ''),
        Mobile: plain(session.number),
        SessionId: session.id,
        Sequence: session.hops,
        Operator: 'simulator',
      }),
    read: readJson(({ Message, Type }) => ({ message: Message, closes: Type !== 'response' })),
    hangUp: (session) =>
      post('/api/ussd/hubtel', {
        Type: 'Release',
        Message: '',
        ServiceCode: session.code.replace(/[*#]/g, ''),
        Mobile: plain(session.number),
        SessionId: session.id,
        Sequence: session.hops,
        Operator: 'simulator',
      }),
  },
  arkesel: {
    hop: (session) =>
      post('/api/ussd/arkesel', {
        sessionID: session.id,
        userID: 'simulator',
        newSession: isDial(session),
        msisdn: plain(session.number),
        userData: lastInput(session),
        network: 'simulator',
      }),
    read: readJson(({ message, continueSession }) => ({ message, closes: !continueSession })),
  },
  nalo: {
    hop: (session) =>
      post('/api/ussd/nalo', {
        USERID: 'simulator',
        MSISDN: plain(session.number),
        USERDATA: lastInput(session),
        MSGTYPE: isDial(session),
        NETWORK: 'simulator',
        SESSIONID: session.id,
      }),
    read: readJson(({ MSG, MSGTYPE }) => ({ message: MSG, closes: !MSGTYPE })),
  },
  infobip: {
    hop: (session) => {
      const body = { msisdn: plain(session.number), text: lastInput(session), shortCode: session.code };
      return isDial(session) ? post(infobip(session, 'start'), body) : put(infobip(session, 'response'), body);
    },
    read: readJson(({ ussdMenu, shouldClose }) => ({ message: ussdMenu, closes: shouldClose })),
    hangUp: (session) => put(infobip(session, 'end'), { msisdn: plain(session.number), reason: 'USER_CANCELLED' }),
  },
  comviva: {
    hop: (session) => {
      const query = { SessionID: session.id, MSISDN: plain(session.number), input: lastInput(session) };
      return { method: 'GET', path: `/api/ussd/comviva?${new URLSearchParams(query)}`, headers: {} };
    },
    read: ({ text, headers }) => ({ message: text, closes: headers.get('freeflow') === 'FB' }),
  },
};
