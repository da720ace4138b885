import type { CallResultPayload } from '@mlango/schemas/oracle-realtime';
import type { RunStart } from '../runs/run-store.js';
import type { FrontendAnswer, FrontendCall, FrontendCalls } from '../turns/loop/frontend-calls.js';
import { abortedError, answerOf, noTabError, repeatedError, timeoutError } from './call-result.js';
import type { Frame } from './frame.js';
import { frameOf } from './frame.js';
import type { Hub, Place } from './hub.js';
import type { BusMessage, HubBus } from './hub-bus.js';
import type { Member } from './member.js';
import { TabFinder } from './tab-finder.js';

export interface TabCallsParts {
  readonly hub: Hub;
  readonly bus: HubBus;
  readonly replica: string;
  readonly newId: () => string;
  readonly log: { warn(fields: object, text: string): void };
  /** How long a tab may take to answer, in ms. */
  readonly timeoutMs: number;
}

/** A call that this process waits for. */
type Settle = (reply: { result?: unknown; error?: unknown }) => void;

/** A call that was sent to a socket of this process. */
interface Open {
  readonly kind: FrontendCall['kind'];
  /** The replica that waits; undefined: this one. */
  readonly replica: string | undefined;
  readonly timer: NodeJS.Timeout;
}

/**
 * Calls into the user's tabs. Each goes to one socket, wherever that is; only that socket may answer it, once, and in time.
 * Whatever else comes is passed over.
 */
export class TabCalls implements FrontendCalls {
  readonly #parts: TabCallsParts;
  readonly #finder: TabFinder;
  readonly #waiting = new Map<string, Settle>();
  readonly #open = new Map<string, Open>();

  constructor(parts: TabCallsParts) {
    this.#parts = parts;
    this.#finder = new TabFinder(parts);
  }

  /** Says which tokens came with the message that declared the tools of a session: its tab is asked first. */
  declareTools(place: Place, credentials: readonly string[]): void {
    this.#finder.prefer(place, credentials);
  }

  async call(turn: RunStart, call: FrontendCall, signal: AbortSignal): Promise<FrontendAnswer> {
    const { kind, toolName, toolCallId } = call;
    const failed = (error: string): FrontendAnswer => ({ ok: false, error });
    if (signal.aborted) return failed(abortedError(kind, toolName));
    const tab = await this.#finder.find(turn);
    if (tab === undefined) return failed(noTabError(kind, toolName));
    if (signal.aborted) return failed(abortedError(kind, toolName));
    const key = keyOf(tab.memberId, toolCallId);
    if (this.#waiting.has(key)) return failed(repeatedError(kind, toolName));

    return new Promise((resolve) => {
      const { timeoutMs } = this.#parts;
      const end = (answer: FrontendAnswer) => {
        this.#waiting.delete(key);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
      const giveUp = (error: string) => {
        end(failed(error));
        this.#withdraw(tab.replica, tab.memberId, toolCallId);
      };
      const onAbort = () => giveUp(abortedError(kind, toolName));
      const timer = setTimeout(() => giveUp(timeoutError(kind, toolName, timeoutMs)), timeoutMs);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(key, (reply) => end(answerOf(kind, toolName, reply)));
      this.#ask(turn, call, tab).then(
        (isSent) => isSent || giveUp(noTabError(kind, toolName)),
        () => giveUp(noTabError(kind, toolName)),
      );
    });
  }

  /** A result that a client has sent. False when it answers nothing that this socket was asked. */
  answer(member: Member, kind: FrontendCall['kind'], payload: CallResultPayload): boolean {
    const { toolCallId, result, error, sessionId } = payload;
    const key = keyOf(member.id, toolCallId);
    const open = this.#open.get(key);
    const isOfSession = (sessionId ?? member.sessionId) === member.sessionId;
    if (open === undefined || open.kind !== kind || !isOfSession) return false;
    this.#close(key);
    if (open.replica === undefined) this.#waiting.get(key)?.({ result, error });
    else this.#send(open.replica, { kind: 'answer', memberId: member.id, toolCallId, result, error });
    return true;
  }

  receive(message: BusMessage): void {
    this.#finder.receive(message);
    if (message.kind === 'ask') {
      const { did: ownerDid, sessionId, memberId, toolCallId, callKind, frame, from } = message;
      const isSent = this.#deliver({ ownerDid, sessionId }, memberId, toolCallId, callKind, frame, from);
      if (!isSent) this.#parts.log.warn({ sessionId }, 'asked for a socket that has left');
    } else if (message.kind === 'answer') {
      this.#waiting.get(keyOf(message.memberId, message.toolCallId))?.(message);
    } else if (message.kind === 'withdraw') {
      this.#close(keyOf(message.memberId, message.toolCallId));
    }
  }

  /** Sends the call; false when the socket has left in the meantime. */
  async #ask(turn: RunStart, call: FrontendCall, tab: { memberId: string; replica: string | undefined }) {
    const { ownerDid: did, sessionId } = turn;
    const { kind: callKind, toolCallId } = call;
    const frame = askFrame(turn, call);
    const { memberId, replica } = tab;
    if (replica === undefined) return this.#deliver(turn, memberId, toolCallId, callKind, frame, undefined);
    const from = this.#parts.replica;
    await this.#parts.bus.send(replica, { kind: 'ask', from, memberId, toolCallId, callKind, frame, did, sessionId });
    return true;
  }

  #deliver(
    place: Place,
    memberId: string,
    toolCallId: string,
    kind: FrontendCall['kind'],
    frame: Frame,
    replica: string | undefined,
  ): boolean {
    const key = keyOf(memberId, toolCallId);
    if (this.#open.has(key)) return false;
    // Before it is sent: an answer may come at once.
    const timer = setTimeout(() => this.#close(key), this.#parts.timeoutMs);
    this.#open.set(key, { kind, replica, timer });
    if (this.#parts.hub.tellOne(place, memberId, frame)) return true;
    this.#close(key);
    return false;
  }

  #withdraw(replica: string | undefined, memberId: string, toolCallId: string): void {
    if (replica === undefined) this.#close(keyOf(memberId, toolCallId));
    else this.#send(replica, { kind: 'withdraw', memberId, toolCallId });
  }

  #close(key: string): void {
    clearTimeout(this.#open.get(key)?.timer);
    this.#open.delete(key);
  }

  #send(replica: string, message: BusMessage): void {
    this.#parts.bus.send(replica, message).catch((err: unknown) => {
      this.#parts.log.warn({ err, kind: message.kind }, 'another replica not told');
    });
  }
}

/** A call id may be the model's own, so it is unique for one socket only. */
function keyOf(memberId: string, toolCallId: string): string {
  return `${memberId} ${toolCallId}`;
}

function askFrame({ sessionId, requestId }: RunStart, { kind, toolCallId, toolName, args }: FrontendCall): Frame {
  const data = { sessionId, requestId, toolCallId, toolName, args };
  return kind === 'browser_tool'
    ? frameOf('browser_tool_call', data)
    : frameOf('action_call', { ...data, status: 'isRunning' });
}
