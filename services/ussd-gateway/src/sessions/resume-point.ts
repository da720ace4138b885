import { z } from 'zod';
import type { Flow } from '../engine/flow.js';
import { flowName, type Position, place } from '../engine/position.js';
import { offerToResume, placeToResume } from '../engine/resume-offer.js';
import { findFlow } from './find-flow.js';
import type { SessionRecord } from './session-record.js';

/** Where the next dial of a subscriber can resume a lost session. It holds no secret and no log-in. */
export const resumePoint = z.object({
  sessionId: z.string(),
  flow: flowName,
  place,
});
export type ResumePoint = z.infer<typeof resumePoint>;

/** A change of the resume point of a number and service code at one aggregator, saved with the session. */
export interface ResumeUpdate {
  /** Undefined deletes the point if this session wrote it. */
  readonly point: ResumePoint | undefined;
  /** Retention of the point after the session expires, in ms. */
  readonly retentionMs: number;
}

type Flows = readonly Flow[];

/** The resume point to save with a session. @param retentionMs 0 for none. */
export function resumeUpdateOf(record: SessionRecord, flows: Flows, retentionMs = 0): ResumeUpdate | undefined {
  return retentionMs > 0 ? { point: resumePointOf(record, flows), retentionMs } : undefined;
}

function resumePointOf(record: SessionRecord, flows: Flows): ResumePoint | undefined {
  const flow = record.ended ? undefined : findFlow(record.flow, flows);
  const place = flow && placeToResume(flow, record.position);
  return place && { sessionId: record.sessionId, flow: record.flow, place };
}

/** The offer to resume that a dial gets. Undefined for a point of the same session, or of a flow that is not active. */
export function resumeOfferFor(
  hop: { readonly sessionId: string; readonly press?: { readonly dials: boolean } | undefined },
  point: ResumePoint | undefined,
  flows: Flows,
): { flow: Flow; position: Position } | undefined {
  if (point === undefined || (point.sessionId === hop.sessionId && hop.press?.dials !== true)) return undefined;
  const flow = findFlow(point.flow, flows);
  const position = flow && offerToResume(flow, point.place);
  return position && { flow, position };
}
