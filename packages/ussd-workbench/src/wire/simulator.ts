import type { UssdFlowMap } from '@mlango/schemas/ussd-flow-map';
import type {
  UssdPrintedScreen,
  UssdSimulatorPlace,
  UssdSimulatorSettings,
  UssdWrittenTranscript,
} from '@mlango/schemas/ussd-simulator';
import type { AggregatorId } from './aggregators.js';

/** A phone's session at the gateway. */
export interface OpenSession {
  readonly aggregator: AggregatorId;
  readonly sessionId: string;
  readonly phoneNumber: string;
  /** The dialled code. */
  readonly serviceCode: string;
}

/** An input and the screen that followed it. */
export interface Exchange {
  readonly typed: string;
  readonly dials: boolean;
  readonly message: string;
  readonly closes: boolean;
}

/** A session on a phone, from a dial on. */
export interface Recording {
  readonly title: string;
  readonly phoneNumber: string;
  readonly serviceCode: string;
  readonly exchanges: readonly Exchange[];
}

/** The simulator API of a gateway. Each call rejects on failure. */
export interface Simulator {
  settings(): Promise<UssdSimulatorSettings>;
  /** The flows of a service code. */
  map(code: string): Promise<UssdFlowMap>;
  /** A screen in all languages. */
  screen(
    code: string,
    flow: { readonly id: string; readonly version: number },
    screen: string,
  ): Promise<UssdPrintedScreen>;
  /** The position of a session. */
  place(session: OpenSession): Promise<UssdSimulatorPlace>;
  /** Ends a session as by timeout. */
  expire(session: OpenSession): Promise<void>;
  /** Stores the language of a phone, as its subscriber would. */
  setLanguage(phoneNumber: string, language: string): Promise<void>;
  /** A recording as a test, or the reason why it cannot be one. */
  writeTranscript(recording: Recording): Promise<UssdWrittenTranscript>;
}

/** @param base path prefix of the gateway. */
export function simulatorAt(base: string): Simulator {
  async function send<Answer>(path: string, body?: unknown): Promise<Answer> {
    const init: RequestInit =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${base}/simulator/${path}`, init);
    if (!response.ok || response.status === 204) throw new Error(`${path}: ${response.status}`);
    return (await response.json()) as Answer;
  }
  return {
    settings: () => send('settings'),
    map: (code) => send(`map?${new URLSearchParams({ code })}`),
    screen: (code, { id, version }, screen) =>
      send(
        `screens/${encodeURIComponent(screen)}?${new URLSearchParams({ code, flow: id, version: String(version) })}`,
      ),
    place: (session) => send('place', session),
    expire: async (session) => void (await send('expire', session)),
    setLanguage: async (phoneNumber, language) => void (await send('language', { phoneNumber, language })),
    writeTranscript: (recording) => send('dialogue', recording),
  };
}
