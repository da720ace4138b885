import { DisconnectReason, type Room, RoomEvent } from 'livekit-client';
import type { CallFailure } from '../api/call-failure.js';
import type { CallPlace, CallRequests } from './call-requests.js';
import { type EncryptedRoom, followRoom, seenIn } from './encrypted-room.js';
import { LiveAgentError } from './live-agent-error.js';
import { type CallKind, idleCall, type LiveCallSnapshot } from './live-call-snapshot.js';

export interface LiveCallParts {
  /** Rejects when it is not known where. */
  readonly requests: (place: CallPlace) => Promise<CallRequests>;
  /** Throws a `LiveAgentError` if calls are unsupported; the oracle is not requested then. */
  readonly requireEncryption: () => void;
  readonly openRoom: (e2eeKey: string) => Promise<EncryptedRoom>;
}

interface OngoingCall extends EncryptedRoom {
  readonly callId: string;
  /** Fixed at the start, so that the call ends at the oracle where it began. */
  readonly requests: CallRequests;
}

/** One call at a time: events of its room become snapshots. */
export class LiveCall {
  readonly #parts: LiveCallParts;
  readonly #listeners = new Set<() => void>();
  #snapshot = idleCall;
  #ongoing: OngoingCall | undefined;
  /** Counts calls: late events of an abandoned call are ignored. */
  #attempt = 0;

  constructor(parts: LiveCallParts) {
    this.#parts = parts;
  }

  readonly snapshot = (): LiveCallSnapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The room of the call under way. */
  get room(): Room | undefined {
    return this.#ongoing?.room;
  }

  /** Joins the session's call. Never rejects: failures are in the snapshot. No effect during a call. */
  async start(kind: CallKind, place: CallPlace = {}): Promise<void> {
    if (this.#ongoing !== undefined || this.#snapshot.status === 'connecting') return;
    const attempt = ++this.#attempt;
    this.#set({ ...idleCall, status: 'connecting' });
    try {
      this.#parts.requireEncryption();
      const requests = await this.#parts.requests(place).catch((cause: Error) => {
        throw new LiveAgentError('refused', cause.message, { cause });
      });
      const ticket = await requests.start(kind).catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : 'without a reason';
        throw new LiveAgentError('refused', `The oracle opened no call: ${why}`, { cause });
      });
      const opened = await this.#parts.openRoom(ticket.e2eeKey);
      const ongoing = { ...opened, requests, callId: ticket.callId };
      if (attempt !== this.#attempt) return await end(ongoing);
      this.#ongoing = ongoing;
      this.#watch(ongoing);
      await opened.room.connect(ticket.url, ticket.token).catch((cause: unknown) => {
        throw new LiveAgentError('unreachable', 'The media server cannot be reached', { cause });
      });
      if (attempt === this.#attempt) await this.#publish(opened.room, kind);
    } catch (error) {
      if (attempt === this.#attempt) await this.#fail(error);
    }
  }

  /** Leaves, and has the oracle end the call. Never rejects. */
  async hangUp(): Promise<void> {
    this.#attempt += 1;
    const ongoing = this.#ongoing;
    this.#ongoing = undefined;
    if (this.#snapshot.status !== 'idle') this.#set({ ...this.#snapshot, status: 'ended', participants: [] });
    if (ongoing !== undefined) await end(ongoing);
  }

  async setMuted(isMuted: boolean): Promise<void> {
    await this.#withDevices((room) => room.localParticipant.setMicrophoneEnabled(!isMuted));
  }

  async setCamera(isOn: boolean): Promise<void> {
    await this.#withDevices((room) => room.localParticipant.setCameraEnabled(isOn));
  }

  /** Call it in a click handler when the browser blocked audio. */
  async startAudio(): Promise<void> {
    await this.#ongoing?.room.startAudio();
  }

  #publish(room: Room, kind: CallKind): Promise<void> {
    return this.#withDevices(async ({ localParticipant }) => {
      await localParticipant.setMicrophoneEnabled(true);
      if (kind === 'video') await localParticipant.setCameraEnabled(true);
    }, room);
  }

  async #withDevices(use: (room: Room) => Promise<unknown>, room = this.room): Promise<void> {
    if (room === undefined) return;
    try {
      await use(room);
      if (this.room === room) this.#set({ ...this.#snapshot, error: undefined });
    } catch (cause) {
      // The room was left meanwhile: no device was at fault.
      if (this.room !== room || room.state === 'disconnected') return;
      // The call continues: the user still hears the oracle.
      this.#setError('devices', 'The microphone or camera cannot be used', cause);
    }
    this.#show(room);
  }

  #watch(ongoing: OngoingCall): void {
    const { room } = ongoing;
    followRoom(room, () => this.#show(room));
    room.on(RoomEvent.EncryptionError, (cause) => {
      if (this.room === room) this.#setError('encryption_failed', 'Media of the call cannot be decrypted', cause);
    });
    room.on(RoomEvent.Disconnected, (reason) => void this.#left(ongoing, reason));
  }

  async #left(ongoing: OngoingCall, reason: DisconnectReason | undefined): Promise<void> {
    if (this.#ongoing !== ongoing || this.#snapshot.status === 'connecting') return;
    if (reason === DisconnectReason.DUPLICATE_IDENTITY) {
      // The call is not over: another page of the user has it.
      return this.#fail(new LiveAgentError('replaced', 'The call goes on in another page'));
    }
    if (reason !== undefined && overReasons.has(reason)) return this.hangUp();
    return this.#fail(new LiveAgentError('unreachable', 'The connection to the call failed'));
  }

  /** The call stays open at the oracle, so that it can be joined again. */
  async #fail(error: unknown): Promise<void> {
    const ongoing = this.#ongoing;
    this.#ongoing = undefined;
    const known =
      error instanceof LiveAgentError ? error : new LiveAgentError('unreachable', 'The call failed', { cause: error });
    this.#set({ ...this.#snapshot, status: 'failed', participants: [], error: known });
    await ongoing?.close();
  }

  #setError(code: CallFailure, message: string, cause: unknown): void {
    this.#set({ ...this.#snapshot, error: new LiveAgentError(code, message, { cause }) });
  }

  #show(room: Room): void {
    const ongoing = this.#ongoing;
    if (ongoing?.room !== room) return;
    this.#set({ ...this.#snapshot, ...seenIn(room, this.#snapshot.status), callId: ongoing.callId });
  }

  #set(snapshot: LiveCallSnapshot): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }
}

/** The room was closed, or this participant was removed. */
const overReasons: ReadonlySet<DisconnectReason> = new Set([
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
  DisconnectReason.PARTICIPANT_REMOVED,
]);

async function end(call: OngoingCall): Promise<void> {
  await Promise.allSettled([call.close(), call.requests.end(call.callId)]);
}
