import type { RunEvent, RunFailure } from '../streams/run-event.js';
import type { IMessageComponent, PlacedComponent } from './message.js';

/** An answer while it comes. */
export interface AnswerDraft {
  readonly text: string;
  /** In the order in which they were told of first. */
  readonly components: readonly PlacedComponent[];
  readonly reasoning: string;
  readonly isReasoning: boolean;
  readonly failure?: RunFailure;
  readonly isOver: boolean;
  /** It was as long as it may be. */
  readonly isCut?: boolean;
}

export const emptyDraft: AnswerDraft = { text: '', components: [], reasoning: '', isReasoning: false, isOver: false };

/**
 * The draft after something has happened to it. Pure; the same draft where nothing changes.
 *
 * @param isInOrder the event comes with the stream of the run: it stands behind the text that is there
 */
export function growDraft(draft: AnswerDraft, event: RunEvent, isInOrder = true): AnswerDraft {
  switch (event.kind) {
    case 'text':
      if (event.text === '') return draft;
      return { ...draft, text: draft.text + event.text, isReasoning: false };
    case 'reasoning':
      return { ...draft, reasoning: draft.reasoning + event.text, isReasoning: !event.isComplete };
    case 'component': {
      const at = event.at ?? (isInOrder ? draft.text.length : undefined);
      return { ...draft, components: withComponent(draft.components, event.component, at), isReasoning: false };
    }
    case 'failure':
      // It stands at the end, whatever comes of the text.
      return {
        ...draft,
        components: withComponent(draft.components, event.component, undefined),
        failure: event.failure,
      };
    case 'done':
      return {
        ...draft,
        text: event.partialText || draft.text,
        isReasoning: false,
        isOver: true,
        ...(event.isCut === true ? { isCut: true } : {}),
      };
    case 'restart':
      return { ...emptyDraft, components: draft.components.filter(isOfSocket) };
    case 'run':
      return draft;
  }
}

/** What shows that a call waits for its user, until something comes of the call. */
export const approvalComponent = 'ApprovalRequest';

/** The stream of a run does not tell of these, so they do not come again with it. */
function isOfSocket({ component }: PlacedComponent): boolean {
  return component.kind === 'render_component' && component.name !== approvalComponent;
}

function withComponent(
  placed: readonly PlacedComponent[],
  component: IMessageComponent,
  at: number | undefined,
): readonly PlacedComponent[] {
  const isSame = (each: PlacedComponent) =>
    each.component.kind === component.kind && each.component.id === component.id;
  const known = placed.find(isSame);
  if (known === undefined) {
    // A call that waited for its user stands where it was asked for.
    const asked = placed.find((each) => isAskedFor(each, component));
    return [...placed.filter((each) => each !== asked), { component, at: asked?.at ?? at }];
  }
  // Sockets and the stream tell of the same call; what is over does not begin again.
  const isLate = known.component.status !== 'isRunning' && component.status === 'isRunning';
  const shown = { component: isLate ? known.component : component, at: known.at ?? at };
  return placed.map((each) => (isSame(each) ? shown : each));
}

function isAskedFor({ component: { name, id } }: PlacedComponent, call: IMessageComponent): boolean {
  return name === approvalComponent && id === call.id;
}
