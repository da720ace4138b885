import type { CallResultPayload } from '@mlango/schemas/oracle-realtime';
import { isObject } from '@mlango/service-kit/parse-json';
import type { FrontendAnswer, FrontendCall, FrontendCalls } from '../agent/loop/turn-tool.js';
import type { RunStart } from '../runs/log/store.js';
import type { BusMessage } from './hub-bus.js';
import { type Frame, frameOf, type Member } from './member.js';
import { type Declarer, type FoundTab, TabFinder, type TabFinderParts } from './tab-finder.js';

export interface TabCallsParts extends TabFinderParts {
  /** Time for a tab to answer, in ms. */
  readonly timeoutMs: number;
}

type CallMessage = Extract<BusMessage, { kind: 'ask' }>;

/** Resolves a call that this process started. */
type Settle = (reply: { result?: unknown; error?: unknown }) => void;

/** A call sent to a local socket. */
interface Open {
  readonly kind: FrontendCall['kind'];
  /** The replica that started the call. */
  readonly caller: string;
  readonly timer: NodeJS.Timeout;
}

/** Tool calls in the user's browser tabs. Each goes to one socket on any replica; only that socket may answer, once and in time. */
export class TabCalls implements FrontendCalls {
  readonly #parts: TabCallsParts;
  readonly #finder: TabFinder;
  readonly #waiting = new Map<string, Settle>();
  readonly #open = new Map<string, Open>();

  constructor(parts: TabCallsParts) {
    this.#parts = parts;
    this.#finder = new TabFinder(parts);
  }

  /** Records the tokens of the message that declared the tools: calls prefer its tab. */
  declareTools(declarer: Declarer, credentials: readonly string[]): void {
    this.#finder.prefer(declarer, credentials);
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
      const cancel = (error: string) => {
        end(failed(error));
        this.#send(tab.replica, { kind: 'withdraw', memberId: tab.memberId, toolCallId });
      };
      const onAbort = () => cancel(abortedError(kind, toolName));
      const timer = setTimeout(() => cancel(timeoutError(kind, toolName, timeoutMs)), timeoutMs);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(key, (reply) => end(answerOf(kind, toolName, reply)));
      this.#dispatch(turn, call, tab).then(
        (isSent) => isSent || cancel(noTabError(kind, toolName)),
        () => cancel(noTabError(kind, toolName)),
      );
    });
  }

  /** Accepts a client's result. False if this socket has no such call. */
  answer(member: Member, kind: FrontendCall['kind'], payload: CallResultPayload): boolean {
    const { toolCallId, result, error, sessionId } = payload;
    const key = keyOf(member.id, toolCallId);
    const open = this.#open.get(key);
    const isOfSession = (sessionId ?? member.sessionId) === member.sessionId;
    if (open === undefined || open.kind !== kind || !isOfSession) return false;
    this.#close(key);
    this.#send(open.caller, { kind: 'answer', memberId: member.id, toolCallId, result, error });
    return true;
  }

  receive(message: BusMessage): void {
    this.#finder.receive(message);
    if (message.kind === 'ask') {
      const { sessionId } = message;
      if (!this.#deliver(message)) this.#parts.log.warn({ sessionId }, 'call for a socket that has closed');
    } else if (message.kind === 'answer') {
      this.#waiting.get(keyOf(message.memberId, message.toolCallId))?.(message);
    } else if (message.kind === 'withdraw') {
      this.#close(keyOf(message.memberId, message.toolCallId));
    }
  }

  /** Sends the call; false if the socket has closed. */
  async #dispatch(turn: RunStart, call: FrontendCall, { memberId, replica }: FoundTab): Promise<boolean> {
    const { ownerDid: did, sessionId } = turn;
    const { kind: callKind, toolCallId } = call;
    const { replica: from, bus } = this.#parts;
    const message: CallMessage = {
      kind: 'ask',
      from,
      memberId,
      toolCallId,
      callKind,
      frame: callFrame(turn, call),
      did,
      sessionId,
    };
    if (replica === from) return this.#deliver(message);
    await bus.send(replica, message);
    return true;
  }

  #deliver({ from, did: ownerDid, sessionId, memberId, toolCallId, callKind, frame }: CallMessage): boolean {
    const key = keyOf(memberId, toolCallId);
    if (this.#open.has(key)) return false;
    // Registered before sending, since the answer may arrive immediately.
    const timer = setTimeout(() => this.#close(key), this.#parts.timeoutMs);
    this.#open.set(key, { kind: callKind, caller: from, timer });
    if (this.#parts.hub.sendTo({ ownerDid, sessionId }, memberId, frame)) return true;
    this.#close(key);
    return false;
  }

  #close(key: string): void {
    clearTimeout(this.#open.get(key)?.timer);
    this.#open.delete(key);
  }

  #send(replica: string, message: BusMessage): void {
    const { bus, log, replica: own } = this.#parts;
    if (replica === own) {
      this.receive(message);
      return;
    }
    bus
      .send(replica, message)
      .catch((err: unknown) => log.warn({ err, kind: message.kind }, 'message to another replica failed'));
  }
}

/** A model may choose the call id, so it is unique per socket only. */
function keyOf(memberId: string, toolCallId: string): string {
  return `${memberId} ${toolCallId}`;
}

function callFrame({ sessionId, requestId }: RunStart, { kind, toolCallId, toolName, args }: FrontendCall): Frame {
  const data = { sessionId, requestId, toolCallId, toolName, args };
  return kind === 'browser_tool'
    ? frameOf('browser_tool_call', data)
    : frameOf('action_call', { ...data, status: 'isRunning' });
}

type Kind = FrontendCall['kind'];

const names = { browser_tool: 'browser tool', action: 'action' } as const;
const textLimit = 1_000;

/** A client's result as the model reads it. An action fails with `success: false` too. */
function answerOf(kind: Kind, toolName: string, reply: { result?: unknown; error?: unknown }): FrontendAnswer {
  const failure = reasonIn(reply.error) ?? (kind === 'action' ? failureIn(reply.result) : undefined);
  if (failure === undefined) return { ok: true, result: reply.result ?? null };
  return { ok: false, error: `The ${names[kind]} "${toolName}" failed in the user's browser: ${failure}` };
}

function noTabError(kind: Kind, toolName: string): string {
  return `The ${names[kind]} "${toolName}" could not run: no browser tab of the user is connected to this session.`;
}

function timeoutError(kind: Kind, toolName: string, timeoutMs: number): string {
  return `The ${names[kind]} "${toolName}" gave no answer: the user's browser did not reply within ${timeoutMs / 1000} seconds.`;
}

function abortedError(kind: Kind, toolName: string): string {
  return `The ${names[kind]} "${toolName}" was cancelled before the user's browser replied.`;
}

function repeatedError(kind: Kind, toolName: string): string {
  return `The ${names[kind]} "${toolName}" was not run: its call id is in use by another call.`;
}

function failureIn(result: unknown): string | undefined {
  if (!isObject(result) || result['success'] !== false) return undefined;
  return reasonIn(result['error']) ?? reasonIn(result['message']) ?? 'no reason stated';
}

function reasonIn(error: unknown): string | undefined {
  if (error === undefined || error === null || error === false || error === '') return undefined;
  if (isObject(error) && typeof error['message'] === 'string') return reasonIn(error['message']) ?? 'no reason stated';
  return (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, textLimit);
}
