/** One input from a phone to the gateway. */
export interface Typed {
  readonly sessionId: string;
  /** E.164, with `+`. */
  readonly phoneNumber: string;
  readonly dials: boolean;
  /** The last input; empty on the dial. */
  readonly input: string;
  /** All inputs, joined by `*`. */
  readonly text: string;
  /** Number of earlier inputs of this session. */
  readonly count: number;
}

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Request format of one aggregator, and its reading of the reply. */
export interface AggregatorLine {
  readonly accumulates: boolean;
  readonly request: (typed: Typed) => WireRequest;
  readonly read: (body: string, freeflow?: string | null) => { readonly message: string; readonly closes: boolean };
  /** The request that ends a session, if the aggregator has one. */
  readonly end?: (sessionId: string, phoneNumber: string) => WireRequest;
}

const code = '*384#';
const json = (url: string, body: object): WireRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const form = (url: string, fields: Record<string, string>): WireRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const readText = (body: string) => {
  const [, verb, message = ''] = /^(CON|END) ([\s\S]*)$/.exec(body) ?? [];
  if (verb === undefined) throw new Error(`neither CON nor END: ${body}`);
  return { message, closes: verb === 'END' };
};
const readJson = (message: string, closes: (body: Record<string, unknown>) => boolean) => (text: string) => {
  const body = JSON.parse(text) as Record<string, unknown>;
  return { message: String(body[message]), closes: closes(body) };
};

/** The same GET of two aggregators in Kenya. */
const kenyan = (id: string): AggregatorLine => ({
  accumulates: true,
  request: ({ sessionId, phoneNumber, text }) => {
    const fields = { SESSIONID: sessionId, USSDCODE: code, MSISDN: phoneNumber.slice(1), INPUT: text };
    return { method: 'GET', url: `/api/ussd/${id}?${new URLSearchParams(fields).toString()}`, headers: {} };
  },
  read: readText,
});

const lines = {
  canonical: {
    accumulates: true,
    request: ({ sessionId, phoneNumber, text }) =>
      json('/api/ussd', { sessionId, phoneNumber, serviceCode: code, text }),
    read: readText,
  },
  africastalking: {
    accumulates: true,
    request: ({ sessionId, phoneNumber, text }) =>
      form('/api/ussd/africastalking', { sessionId, phoneNumber, serviceCode: code, text, networkCode: '63902' }),
    read: readText,
    end: (sessionId, phoneNumber) =>
      form('/api/ussd/africastalking/events', { sessionId, phoneNumber, status: 'Success' }),
  },
  hubtel: {
    accumulates: false,
    request: ({ sessionId, phoneNumber, dials, input, count }) =>
      json('/api/ussd/hubtel', {
        SessionId: sessionId,
        Mobile: phoneNumber.slice(1),
        Type: dials ? 'Initiation' : 'Response',
        ServiceCode: '384',
        Message: dials ? code : input,
        Sequence: count + 1,
        Operator: 'mtn',
      }),
    read: readJson('Message', ({ Type: type }) => type === 'release'),
    end: (SessionId, Mobile) =>
      json('/api/ussd/hubtel', { SessionId, Mobile, Message: '', Type: 'Release', Sequence: 3 }),
  },
  arkesel: {
    accumulates: false,
    request: ({ sessionId, phoneNumber, dials, input }) =>
      json('/api/ussd/arkesel', {
        sessionID: sessionId,
        userID: 'user',
        newSession: dials,
        msisdn: phoneNumber.slice(1),
        userData: dials ? code : input,
        network: 'MTN',
      }),
    read: readJson('message', ({ continueSession }) => continueSession === false),
  },
  nalo: {
    accumulates: false,
    request: ({ sessionId, phoneNumber, dials, input }) =>
      json('/api/ussd/nalo', {
        USERID: 'user',
        MSISDN: phoneNumber.slice(1),
        USERDATA: dials ? code : input,
        MSGTYPE: dials,
        NETWORK: 'MTN',
        SESSIONID: sessionId,
      }),
    read: readJson('MSG', ({ MSGTYPE: waits }) => waits === false),
  },
  infobip: {
    accumulates: false,
    request: ({ sessionId, phoneNumber, dials, input }) => {
      const path = `/api/ussd/infobip/session/${encodeURIComponent(sessionId)}/${dials ? 'start' : 'response'}`;
      return json(path, { msisdn: phoneNumber.slice(1), text: dials ? code : input, shortCode: code });
    },
    read: readJson('ussdMenu', ({ shouldClose }) => shouldClose === true),
    end: (id, msisdn) => json(`/api/ussd/infobip/session/${id}/end`, { msisdn, exitCode: 200, reason: '' }),
  },
  comviva: {
    accumulates: false,
    request: ({ sessionId, phoneNumber, dials, input }) => {
      const query = new URLSearchParams({
        SessionID: sessionId,
        MSISDN: phoneNumber.slice(1),
        input: dials ? code : input,
      });
      return { method: 'GET', url: `/api/ussd/comviva?${query.toString()}`, headers: {} };
    },
    read: (message, freeflow) => ({ message, closes: freeflow === 'FB' }),
    end: (SessionID, MSISDN) => {
      const query = new URLSearchParams({ SessionID, MSISDN, clean: 'clean-session' });
      return { method: 'GET', url: `/api/ussd/comviva?${query.toString()}`, headers: {} };
    },
  },
  jaza: kenyan('jaza'),
  kemrut: kenyan('kemrut'),
  moolre: {
    accumulates: false,
    request: ({ sessionId, phoneNumber, dials, input }) =>
      json('/api/ussd/moolre', {
        sessionid: sessionId,
        new: dials,
        msisdn: phoneNumber.slice(1),
        network: 3,
        message: dials ? '' : input,
        extension: 109,
        data: '',
      }),
    read: readJson('message', ({ reply }) => reply === false),
  },
  korba: {
    accumulates: false,
    request: ({ sessionId, phoneNumber, dials, input }) =>
      json('/api/ussd/korba', {
        sessionID: sessionId,
        msisdn: phoneNumber,
        network: '01',
        ussdServiceOp: dials ? 1 : 18,
        ussdString: dials ? code : input,
      }),
    read: readJson('message', ({ ussdServiceOp }) => ussdServiceOp === 17),
    end: (sessionID, msisdn) => json('/api/ussd/korba', { sessionID, msisdn, ussdString: '', ussdServiceOp: 30 }),
  },
} satisfies Readonly<Record<string, AggregatorLine>>;

export type AggregatorId = keyof typeof lines;

export const aggregatorLines: Readonly<Record<AggregatorId, AggregatorLine>> = lines;
