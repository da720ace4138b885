import { z } from 'zod';
import { isoTime } from '../common/iso-time.js';
import { sessionIdPattern } from './sessions.js';

/** The media that may be published in a call: `audio` is the microphone only. */
export const callKind = z.enum(['audio', 'video']);
export type CallKind = z.infer<typeof callKind>;

/** `open`: no participant was seen in the room. `active`: one was. `ended`: final. */
export const callStatus = z.enum(['open', 'active', 'ended']);

export const callParticipant = z.object({
  identity: z.string().describe('`caller` is the user; all other participants are of the oracle'),
  joinedAt: isoTime.describe('Time of the last join'),
  leftAt: isoTime.optional().describe('Absent while the participant is in the room'),
});

export const callRecord = z
  .object({
    callId: z.string(),
    sessionId: z.string(),
    kind: callKind,
    status: callStatus,
    createdAt: isoTime,
    expiresAt: isoTime.describe('Time at which the call ends, even with participants in the room'),
    startedAt: isoTime.optional().describe('Time at which the first participant was in the room'),
    endedAt: isoTime.optional(),
    endReason: z.enum(['hung_up', 'room_closed', 'expired']).optional(),
    participants: z.array(callParticipant),
  })
  .describe('A call of the user with the oracle');
export type CallRecord = z.infer<typeof callRecord>;

export const callTicket = callRecord
  .extend({
    url: z.string().describe('URL of the LiveKit server, ws: or wss:'),
    roomName: z.string(),
    identity: z.string().describe('Identity of the participant that the token admits'),
    token: z.string().describe('Admits its bearer to this room only, with this identity'),
    tokenExpiresAt: isoTime.describe('Expiry of the token for joining; participants in the room stay'),
    e2eeKey: z.string().describe('Secret text from which media keys are derived; the same for all participants'),
  })
  .describe('Credentials to join a call. A secret of the caller');
export type CallTicket = z.infer<typeof callTicket>;

export const callStart = z.object({
  sessionId: z.string().regex(sessionIdPattern),
  kind: callKind.default('audio'),
});

export const callList = z.object({ calls: z.array(callRecord), total: z.int().min(0) });

export const callListQuery = z.object({
  sessionId: z.string().regex(sessionIdPattern).optional().describe('Only calls of this session'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export const callPath = z.object({ callId: z.string().min(1).max(128) });
