import type { WireRules } from '@mlango/schemas/ussd-aggregators';
import type { z } from 'zod';
import type { KeyPress } from '../engine/input.js';
import type { KnownCodes } from './dialled.js';

/** What a request of a telecom gateway asks for. */
export type Asked =
  | {
      readonly kind: 'hop';
      readonly sessionId: string;
      /** E.164. */
      readonly phoneNumber: string;
      /** Empty where the gateway does not name it. */
      readonly serviceCode: string;
      readonly text: string;
      /** Given where the text does not accumulate. */
      readonly press?: KeyPress;
      /** The caller's network, where the gateway names it. */
      readonly network?: string | undefined;
    }
  /** The session is over: the user hung up, or the network gave up. */
  | { readonly kind: 'close'; readonly sessionId: string; readonly phoneNumber: string | undefined };

/** What the handset shows. */
export interface Said {
  readonly message: string;
  readonly closes: boolean;
  /** Why the request was not served, as an HTTP status. */
  readonly failure?: number;
}

/** A reply body: text is sent as it is, an object as JSON. */
export interface Encoded {
  readonly body: string | Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint that a telecom gateway calls. */
export interface Door {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly summary: string;
  /** The parts of a request, for the API description; a GET is read from its query. */
  readonly wire: z.ZodObject;
  /** A request by its parts, as the gateway sends it: the API description shows it. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Parts of `wire` that stand in the path. */
  readonly inPath: readonly string[];
  /** What is accepted beside JSON, and what comes first in the API description. */
  readonly form: boolean;
  /** Reads the fields of a body that was sent as plain text; undefined where such a body is refused. */
  readonly readText?: ((body: string) => unknown) | undefined;
  readonly reply: { readonly type: 'text/plain' | 'application/json'; readonly schema: z.ZodType };
  /** @throws {ServiceError} `invalid_argument`. */
  decode(raw: unknown): Asked;
  /** @param raw the request, judged or not: some gateways want parts of it back. */
  encode(said: Said, raw: unknown): Encoded;
}

export interface Aggregator {
  /** The name of its folder; in capitals, part of its variables. */
  readonly id: string;
  /**
   * What its text holds: all that was typed in the session; the last input alone, which then comes with its press; or
   * what `USSD_TEXT_MODE` says of its callers.
   */
  readonly text: 'accumulated' | 'latest' | 'configured';
  readonly doors: readonly Door[];
}

export interface AggregatorRules extends WireRules {
  readonly codes: KnownCodes;
  /**
   * The service code of a service id, for channels of an aggregator that name no code.
   * @throws {ServiceError} `invalid_argument` where the settings have none.
   */
  readonly codeOfService: (serviceId: string) => string;
  /**
   * The session id of a subscriber whose gateway gives none: the same for each of their calls, and nobody can tell what it is from what
   * the gateway said.
   */
  readonly nameSession: (aggregator: string, phoneNumber: string, said: string) => string;
}

export type MakeAggregator = (rules: AggregatorRules) => Aggregator;

/** How the callers of an aggregator are verified: the names of variables, never their values. */
export interface CallerCheck {
  /** The variable that has the secret. */
  readonly secret?: string | undefined;
  /** The header that presents the secret, and the parameter of the address: by default `X-Aggregator-Secret` and `secret`. */
  readonly header?: string | undefined;
  readonly parameter?: string | undefined;
  /** The variable that has the addresses. */
  readonly addresses?: string | undefined;
}

/** An aggregator that this service can serve. */
export interface KnownAggregator {
  readonly id: string;
  /** For operators. */
  readonly name: string;
  readonly caller: CallerCheck;
  readonly make: MakeAggregator;
}
