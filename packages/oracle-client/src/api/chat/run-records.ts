import type { RunEvent } from '../streams/run-event.js';

/** Something that happened to a run. */
export interface IRunMoment {
  /** Since the message was sent; for another tab's message, since it was announced here. */
  readonly atMs: number;
  /** The number of stream frames or socket events in it: text events in quick succession are one moment. */
  readonly frames: number;
  readonly event: RunEvent;
}

/** The events of a run as this page received them. Serialisable as JSON. */
export interface IRunRecord {
  readonly requestId: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Absent if this page did not receive it. */
  readonly message?: string;
  /** In the order in which they were seen. */
  readonly moments: readonly IRunMoment[];
}

/** Runs of one chat that are remembered. */
const maxRuns = 10;
/** Text events within this time of a moment's first are part of it. */
const closeMs = 100;
/** Above this number of moments, text is added to the last one. */
const enoughMoments = 2_000;

/** Records the runs of one chat, the newest few of them. */
export class RunRecords {
  readonly #nowMs: () => number;
  #records: readonly IRunRecord[] = [];

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  /** Oldest first. The same list until something changes. */
  readonly list = (): readonly IRunRecord[] => this.#records;

  /** A message is being sent; earlier events of it belong to a failed attempt. */
  begin(requestId: string, message: string | undefined): void {
    this.#put({ ...this.#blank(requestId), ...(message === undefined ? {} : { message }) });
  }

  take(requestId: string, event: RunEvent): void {
    const record = this.#records.find((each) => each.requestId === requestId) ?? this.#blank(requestId);
    const atMs = this.#nowMs() - Date.parse(record.startedAt);
    this.#put({ ...record, moments: withMoment(record.moments, { atMs, frames: 1, event }) });
  }

  rename(requestId: string, assignedId: string): void {
    const record = this.#records.find((each) => each.requestId === requestId);
    if (record === undefined) return;
    const others = this.#records.filter((each) => each !== record && each.requestId !== assignedId);
    this.#records = [...others, { ...record, requestId: assignedId }];
  }

  #blank(requestId: string): IRunRecord {
    return { requestId, startedAt: new Date(this.#nowMs()).toISOString(), moments: [] };
  }

  #put(record: IRunRecord): void {
    const isKnown = this.#records.some(({ requestId }) => requestId === record.requestId);
    this.#records = isKnown
      ? this.#records.map((each) => (each.requestId === record.requestId ? record : each))
      : [...this.#records, record].slice(-maxRuns);
  }
}

function withMoment(moments: readonly IRunMoment[], moment: IRunMoment): IRunMoment[] {
  const last = moments.at(-1);
  const isClose = last !== undefined && (moment.atMs - last.atMs <= closeMs || moments.length >= enoughMoments);
  const event = isClose ? joined(last.event, moment.event) : undefined;
  if (last === undefined || event === undefined) return [...moments, moment];
  return [...moments.slice(0, -1), { ...last, frames: last.frames + moment.frames, event }];
}

/** Two text events joined; undefined for events that do not join. */
function joined(one: RunEvent, other: RunEvent): RunEvent | undefined {
  if (one.kind === 'text' && other.kind === 'text') return { ...one, text: one.text + other.text };
  if (one.kind !== 'reasoning' || other.kind !== 'reasoning') return undefined;
  return { ...other, text: one.text + other.text };
}
