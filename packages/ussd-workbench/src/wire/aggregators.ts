/** A session as the aggregator sees it. */
export interface WireSession {
  readonly id: string;
  /** E.164. */
  readonly number: string;
  /** The dialled service code. */
  readonly code: string;
  /** Inputs after the dial, oldest first. */
  readonly inputs: readonly string[];
}

/** A request to the gateway. */
export interface WireRequest {
  readonly aggregator: AggregatorId;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

export interface WireReply {
  readonly status: number;
  /** The body; without a response, the reason. */
  readonly body: string;
  /** The header in which Comviva reports whether the session continues. */
  readonly freeflow?: string | undefined;
}

/** The screen of a reply. */
export type Screen =
  | { readonly kind: 'CON' | 'END'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

interface Aggregator {
  /** The request of one hop; without inputs, of the dial. */
  readonly hop: (session: WireSession) => WireRequest;
  /** @throws when the reply has another form. */
  readonly read: (reply: WireReply) => { message?: unknown; isOpen: boolean };
  /** Reports that the user hung up, if the aggregator reports it. */
  readonly hangUp?: (session: WireSession) => WireRequest;
}

export const aggregatorIds = [
  'canonical',
  'africastalking',
  'hubtel',
  'arkesel',
  'nalo',
  'infobip',
  'comviva',
  'jaza',
  'kemrut',
  'moolre',
  'korba',
] as const;
export type AggregatorId = (typeof aggregatorIds)[number];

type Fields = Readonly<Record<string, unknown>>;

const json = (aggregator: AggregatorId, method: 'POST' | 'PUT', path: string, fields: Fields): WireRequest => ({
  aggregator,
  method,
  path,
  type: 'application/json',
  body: JSON.stringify(fields),
});
const form = (path: string, fields: Record<string, string>): WireRequest => ({
  aggregator: 'africastalking',
  method: 'POST',
  path,
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
});

const plain = (number: string) => number.replace('+', '');
const isDial = ({ inputs }: WireSession) => inputs.length === 0;
/** The last input; on the dial, the code. */
const lastInput = ({ inputs, code }: WireSession) => inputs.at(-1) ?? code;
const operator = 'simulator';

const readText = ({ body }: WireReply) => {
  const [, kind, message] = /^(CON|END) ([\s\S]*)$/.exec(body) ?? [];
  return { message, isOpen: kind === 'CON' };
};
const readJson = (message: string, isOpen: (fields: Fields) => boolean) => (reply: WireReply) => {
  const fields = JSON.parse(reply.body) as Fields;
  return { message: fields[message], isOpen: isOpen(fields) };
};

const hubtel = (session: WireSession, type: string, message: string) =>
  json('hubtel', 'POST', '/api/ussd/hubtel', {
    Type: type,
    Message: message,
    ServiceCode: session.code.replace(/[*#]/g, ''),
    Mobile: plain(session.number),
    SessionId: session.id,
    Sequence: session.inputs.length + 1,
    Operator: operator,
  });
const infobip = (session: WireSession, step: string) =>
  `/api/ussd/infobip/session/${encodeURIComponent(session.id)}/${step}`;
const africas = ({ id, number, code }: WireSession) => ({ sessionId: id, phoneNumber: number, serviceCode: code });

/** The GET request that Jaza Africa and Kemrut share. */
const kenyan = (aggregator: AggregatorId): Aggregator => ({
  hop: ({ id, number, code, inputs }) => {
    const query = { SESSIONID: id, USSDCODE: code, MSISDN: plain(number), INPUT: inputs.join('*') };
    return { aggregator, method: 'GET', path: `/api/ussd/${aggregator}?${new URLSearchParams(query)}` };
  },
  read: readText,
});
/** The last group of a code, which Moolre sends as the extension. */
const extensionOf = ({ code }: WireSession) => code.split('*').at(-1)?.replace('#', '') ?? '';
const korba = (session: WireSession, operation: number, input: string) =>
  json('korba', 'POST', '/api/ussd/korba', {
    sessionID: session.id,
    msisdn: plain(session.number),
    network: '01',
    ussdServiceOp: operation,
    ussdString: input,
  });

/** Requests and responses of each aggregator. */
const aggregators: Readonly<Record<AggregatorId, Aggregator>> = {
  canonical: {
    hop: ({ id, number, code, inputs }) =>
      json('canonical', 'POST', '/api/ussd', {
        sessionId: id,
        serviceCode: code,
        phoneNumber: number,
        text: inputs.join('*'),
      }),
    read: readText,
  },
  africastalking: {
    hop: (session) =>
      form('/api/ussd/africastalking', { ...africas(session), networkCode: '99999', text: session.inputs.join('*') }),
    read: readText,
    hangUp: (session) =>
      form('/api/ussd/africastalking/events', {
        ...africas(session),
        status: 'Incomplete',
        hopsCount: String(session.inputs.length + 1),
      }),
  },
  hubtel: {
    hop: (session) => hubtel(session, isDial(session) ? 'Initiation' : 'Response', lastInput(session)),
    read: readJson('Message', ({ Type }) => Type === 'response'),
    hangUp: (session) => hubtel(session, 'Release', ''),
  },
  arkesel: {
    hop: (session) =>
      json('arkesel', 'POST', '/api/ussd/arkesel', {
        sessionID: session.id,
        userID: operator,
        newSession: isDial(session),
        msisdn: plain(session.number),
        userData: lastInput(session),
        network: operator,
      }),
    read: readJson('message', ({ continueSession }) => continueSession === true),
  },
  nalo: {
    hop: (session) =>
      json('nalo', 'POST', '/api/ussd/nalo', {
        USERID: operator,
        MSISDN: plain(session.number),
        USERDATA: lastInput(session),
        MSGTYPE: isDial(session),
        NETWORK: operator,
        SESSIONID: session.id,
      }),
    read: readJson('MSG', ({ MSGTYPE }) => MSGTYPE === true),
  },
  infobip: {
    hop: (session) => {
      const [method, step] = isDial(session) ? (['POST', 'start'] as const) : (['PUT', 'response'] as const);
      const fields = { msisdn: plain(session.number), text: lastInput(session), shortCode: session.code };
      return json('infobip', method, infobip(session, step), fields);
    },
    read: readJson('ussdMenu', ({ shouldClose }) => shouldClose === false),
    hangUp: (session) =>
      json('infobip', 'PUT', infobip(session, 'end'), { msisdn: plain(session.number), reason: 'USER_CANCELLED' }),
  },
  comviva: {
    hop: (session) => {
      const query = { SessionID: session.id, MSISDN: plain(session.number), input: lastInput(session) };
      return { aggregator: 'comviva', method: 'GET', path: `/api/ussd/comviva?${new URLSearchParams(query)}` };
    },
    read: ({ body, freeflow }) => ({ message: body, isOpen: freeflow === 'FC' }),
  },
  jaza: kenyan('jaza'),
  kemrut: kenyan('kemrut'),
  moolre: {
    hop: (session) =>
      json('moolre', 'POST', '/api/ussd/moolre', {
        sessionid: session.id,
        new: isDial(session),
        msisdn: plain(session.number),
        network: 3,
        message: session.inputs.at(-1) ?? '',
        extension: extensionOf(session),
        data: '',
      }),
    read: readJson('message', ({ reply }) => reply === true),
  },
  korba: {
    hop: (session) => korba(session, isDial(session) ? 1 : 18, lastInput(session)),
    read: readJson('message', ({ ussdServiceOp }) => ussdServiceOp === 2),
    hangUp: (session) => korba(session, 30, ''),
  },
};

export function hopOf(aggregator: AggregatorId, session: WireSession): WireRequest {
  return aggregators[aggregator].hop(session);
}

/** The request that reports a hang-up; undefined for an aggregator without one. */
export function hangUpOf(aggregator: AggregatorId, session: WireSession): WireRequest | undefined {
  return aggregators[aggregator].hangUp?.(session);
}

/** The screen in a reply; for an invalid one, the network's text. */
export function screenOf(aggregator: AggregatorId, reply: WireReply): Screen {
  const networkError: Screen = { kind: 'failed', message: 'Connection problem or invalid MMI code.' };
  if (reply.status !== 200 && reply.status !== 429) return networkError;
  try {
    const { message, isOpen } = aggregators[aggregator].read(reply);
    if (typeof message !== 'string') return networkError;
    return { kind: isOpen && reply.status === 200 ? 'CON' : 'END', message };
  } catch {
    return networkError;
  }
}
