import { z } from 'zod';
import type { Flow } from '../engine/flow.js';
import { type Position, place } from '../engine/position.js';
import { offerToResume, placeToResume } from '../engine/resume.js';
import type { Hop } from './hop.js';
import { type FlowName, flowName, type SessionRecord } from './session-record.js';

/** What a lost session leaves to the next dial of its subscriber: a place in the dialogue, no secret and no log-in. */
export const resumePoint = z.object({
  sessionId: z.string(),
  flow: flowName,
  place,
});
export type ResumePoint = z.infer<typeof resumePoint>;

/** What a session leaves to the next dial of its number and service code by the same aggregator, should it be lost. */
export interface ResumeUpdate {
  /** Undefined takes back what this session left before, and nothing that another one left since. */
  readonly point: ResumePoint | undefined;
  /** How long it is known after the session's life, in ms. */
  readonly retentionMs: number;
}

type Flows = readonly Flow[];

/** The place a session would leave if it were lost now. */
function resumePointOf(record: SessionRecord, flows: Flows): ResumePoint | undefined {
  const flow = record.ended ? undefined : findFlow(record.flow, flows);
  const place = flow && placeToResume(flow, record.position);
  return place && { sessionId: record.sessionId, flow: record.flow, place };
}

/** What a session leaves to the next dial, should it be lost after this. */
export function resumeUpdateOf(record: SessionRecord, flows: Flows, keptMs = 0): ResumeUpdate | undefined {
  return keptMs > 0 ? { point: resumePointOf(record, flows), retentionMs: keptMs } : undefined;
}

/** What a dial is offered for a place that is left: nothing if it is its own, or of a flow that is not in service now. */
export function resumeOfferFor(
  hop: Hop,
  left: ResumePoint | undefined,
  flows: Flows,
): { flow: Flow; position: Position } | undefined {
  if (left === undefined || (left.sessionId === hop.sessionId && hop.press?.dials !== true)) return undefined;
  const flow = findFlow(left.flow, flows);
  const position = flow && offerToResume(flow, left.place);
  return position && { flow, position };
}

/** The very revision of a flow; where this process has it no more, one of the same version, which its sessions can go on with. */
export function findFlow(wanted: FlowName, flows: Flows): Flow | undefined {
  let alike: Flow | undefined;
  for (const flow of flows) {
    if (flow.id !== wanted.id || flow.version !== wanted.version) continue;
    if (flow.revision === wanted.revision) return flow;
    alike ??= flow;
  }
  return alike;
}

/** What is remembered of the flow that somebody is on. */
export function flowNameOf({ id, version, revision }: Flow): FlowName {
  return revision === undefined ? { id, version } : { id, version, revision };
}
