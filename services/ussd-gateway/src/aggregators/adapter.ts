import type { WireRules } from '@mlango/schemas/ussd-aggregators';
import type { z } from 'zod';
import type { KeyPress } from '../engine/interpret-input.js';
import type { KnownCodes } from './dialled.js';

/** A decoded request of a telecom gateway. */
export type AggregatorRequest =
  | {
      readonly kind: 'hop';
      readonly sessionId: string;
      /** E.164. */
      readonly phoneNumber: string;
      /** Empty if the gateway does not send it. */
      readonly serviceCode: string;
      readonly text: string;
      /** Set if the text does not accumulate. */
      readonly press?: KeyPress;
      /** Network of the caller, if the gateway sends it. */
      readonly network?: string | undefined;
    }
  /** The session is over: the user hung up, or the network ended it. */
  | { readonly kind: 'close'; readonly sessionId: string; readonly phoneNumber: string | undefined };

/** Reply for the handset. */
export interface HandsetReply {
  readonly message: string;
  readonly closes: boolean;
  /** HTTP status if the request was not served. */
  readonly failure?: number;
}

/** A reply body: a text is sent unchanged, an object as JSON. */
export interface Encoded {
  readonly body: string | Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint that a telecom gateway calls. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly summary: string;
  /** Fields of a request, for the API description; a GET has them in its query. */
  readonly wire: z.ZodObject;
  /** Example request in the gateway's format, for the API description. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Fields of `wire` in the path. */
  readonly inPath: readonly string[];
  /** Content type accepted besides JSON, first in the API description. */
  readonly form: boolean;
  /** Parses a body sent as plain text; undefined if such a body is refused. */
  readonly readText?: ((body: string) => unknown) | undefined;
  readonly reply: { readonly type: 'text/plain' | 'application/json'; readonly schema: z.ZodType };
  /** @throws {ServiceError} `invalid_argument`. */
  decode(raw: unknown): AggregatorRequest;
  /** @param raw the request, valid or not: some gateways expect parts of it in the reply. */
  encode(reply: HandsetReply, raw: unknown): Encoded;
}

export interface Aggregator {
  /** Name of its folder; in capitals, part of its variables. */
  readonly id: string;
  /** Content of its text: all input of the session; the last input only, with its press; or by `USSD_TEXT_MODE`. */
  readonly text: 'accumulated' | 'latest' | 'configured';
  readonly endpoints: readonly Endpoint[];
}

export interface AggregatorRules extends WireRules {
  readonly codes: KnownCodes;
  /**
   * Service code of a service id, for channels without a code.
   *
   * @throws {ServiceError} `invalid_argument` if the settings have none.
   */
  readonly codeOfService: (serviceId: string) => string;
  /**
   * Session id for a gateway that sends none: the same for each call of a subscriber, and not derivable from the
   * gateway's data.
   */
  readonly nameSession: (aggregator: string, phoneNumber: string, sessionId: string) => string;
}

export type MakeAggregator = (rules: AggregatorRules) => Aggregator;

/** Verification of an aggregator's requests: names of variables, never their values. */
export interface CallerCheck {
  /** Variable with the secret. */
  readonly secret?: string | undefined;
  /** Header and query parameter with the secret: by default `X-Aggregator-Secret` and `secret`. */
  readonly header?: string | undefined;
  readonly parameter?: string | undefined;
  /** Variable with the addresses. */
  readonly addresses?: string | undefined;
}

/** An aggregator supported by this service. */
export interface KnownAggregator {
  readonly id: string;
  /** Display name for operators. */
  readonly name: string;
  readonly caller: CallerCheck;
  readonly make: MakeAggregator;
}
