import type { RunEvent, RunFailure } from '../streams/run-event.js';
import type { IMessageComponent } from './message.js';

export type Segment = string | IMessageComponent;

/** An answer while it comes. */
export interface AnswerDraft {
  /** Text and components in the order in which they came; no two texts in a row. */
  readonly segments: readonly Segment[];
  readonly reasoning: string;
  readonly isReasoning: boolean;
  readonly failure?: RunFailure;
  readonly isOver: boolean;
  /** It was as long as it may be. */
  readonly isCut?: boolean;
}

export const emptyDraft: AnswerDraft = { segments: [], reasoning: '', isReasoning: false, isOver: false };

/** The draft after something has happened to it. Pure; the same draft where nothing changes. */
export function growDraft(draft: AnswerDraft, event: RunEvent): AnswerDraft {
  switch (event.kind) {
    case 'text':
      if (event.text === '') return draft;
      return { ...draft, segments: withText(draft.segments, event.text), isReasoning: false };
    case 'reasoning':
      return { ...draft, reasoning: draft.reasoning + event.text, isReasoning: !event.isComplete };
    case 'component':
      return { ...draft, segments: withComponent(draft.segments, event.component), isReasoning: false };
    case 'failure':
      return { ...draft, segments: withComponent(draft.segments, event.component), failure: event.failure };
    case 'done':
      return {
        ...draft,
        segments: withWhole(draft.segments, event.partialText),
        isReasoning: false,
        isOver: true,
        ...(event.isCut === true ? { isCut: true } : {}),
      };
    case 'restart':
      return { ...emptyDraft, segments: draft.segments.filter(isOfSocket) };
    case 'run':
      return draft;
  }
}

/** What shows that a call waits for its user, until something comes of the call. */
const approvalComponent = 'ApprovalRequest';

export function textOf(segments: readonly Segment[]): string {
  return segments.filter((segment) => typeof segment === 'string').join('');
}

export function isComponent(segment: Segment): segment is IMessageComponent {
  return typeof segment !== 'string';
}

/** The stream of a run does not tell of these, so they do not come again with it. */
function isOfSocket(segment: Segment): boolean {
  return isComponent(segment) && segment.kind === 'render_component' && segment.name !== approvalComponent;
}

function withText(segments: readonly Segment[], text: string): Segment[] {
  const last = segments.at(-1);
  return typeof last === 'string' ? [...segments.slice(0, -1), last + text] : [...segments, text];
}

function withComponent(segments: readonly Segment[], component: IMessageComponent): Segment[] {
  const isSame = (segment: Segment) =>
    isComponent(segment) && segment.kind === component.kind && segment.id === component.id;
  const known = segments.find(isSame);
  if (known === undefined) return [...segments.filter((segment) => !isAnswered(segment, component)), component];
  // Sockets and the stream tell of the same call; what is over does not begin again.
  const isLate = isComponent(known) && known.status !== 'isRunning' && component.status === 'isRunning';
  return isLate ? [...segments] : segments.map((segment) => (isSame(segment) ? component : segment));
}

function isAnswered(segment: Segment, call: IMessageComponent): boolean {
  return isComponent(segment) && segment.name === approvalComponent && segment.id === call.id;
}

/** What was kept of an answer stands before what came of it. */
function withWhole(segments: readonly Segment[], whole: string | undefined): readonly Segment[] {
  if (whole === undefined || whole === '') return segments;
  const text = textOf(segments);
  if (whole === text) return segments;
  if (whole.startsWith(text)) return withText(segments, whole.slice(text.length));
  return [...segments.filter(isComponent), whole];
}
