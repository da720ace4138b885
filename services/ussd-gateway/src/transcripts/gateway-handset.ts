import type { Exchange } from './transcript.js';

/** Sends one hop and resolves with the text of the reply. */
export type SendHop = (hop: {
  sessionId: string;
  serviceCode: string;
  phoneNumber: string;
  text: string;
}) => Promise<string>;

/** The reply is not a USSD reply, so the server is hardly a USSD gateway. */
export class NoScreenError extends Error {
  constructor(reply: string) {
    super(`the reply is neither CON nor END: ${reply.slice(0, 200)}`);
    this.name = 'NoScreenError';
  }
}

/** A phone on a running gateway: it accumulates inputs, as most aggregators do. */
export class GatewayHandset {
  readonly exchanges: Exchange[] = [];
  readonly #send: SendHop;
  readonly #session: { readonly sessionId: string; readonly phoneNumber: string; readonly serviceCode: string };
  readonly #inputs: string[] = [];

  constructor(send: SendHop, session: { sessionId: string; phoneNumber: string; serviceCode: string }) {
    this.#send = send;
    this.#session = session;
  }

  /** Starts the session. @throws {NoScreenError} for a reply that is neither CON nor END. */
  dial(): Promise<Exchange> {
    return this.#hop(this.#session.serviceCode);
  }

  type(input: string): Promise<Exchange> {
    this.#inputs.push(input);
    return this.#hop(input);
  }

  async #hop(typed: string): Promise<Exchange> {
    const reply = await this.#send({ ...this.#session, text: this.#inputs.join('*') });
    const [, word, message] = /^(CON|END) (.*)$/s.exec(reply) ?? [];
    if (message === undefined) throw new NoScreenError(reply);
    const exchange = { typed, message, closes: word === 'END' };
    this.exchanges.push(exchange);
    return exchange;
  }
}
