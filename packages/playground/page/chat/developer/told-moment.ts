import type { IMessageComponent, RunEvent } from '@mlango/oracle-client';

interface ToldMoment {
  /** What it is, in a word or two. */
  readonly what: string;
  /** The words themselves, or what was called. */
  readonly detail: string;
  readonly isBad?: boolean;
}

/** What a line of the timeline says. Pure. */
export function toldMoment(event: RunEvent): ToldMoment {
  switch (event.kind) {
    case 'run':
      if (event.partialLength !== undefined)
        return { what: 'Resumed', detail: `after ${event.partialLength} characters` };
      return { what: 'Run', detail: event.runId ?? '' };
    case 'text':
      return { what: 'Text', detail: event.text };
    case 'reasoning':
      return { what: 'Reasoning', detail: event.text };
    case 'component':
      return toldComponent(event.component);
    case 'failure':
      return { what: 'Failed', detail: event.failure.detail, isBad: true };
    case 'restart':
      return { what: 'Restarted', detail: 'the text before this was discarded' };
    case 'done':
      return { what: 'Done', detail: event.isCut === true ? `${event.status}, cut short` : event.status };
  }
}

function toldComponent({ kind, name, status, args, output, error }: IMessageComponent): ToldMoment {
  if (kind === 'render_component') return { what: 'Card', detail: name };
  if (status === 'error') return { what: 'Tool failed', detail: `${name}: ${error ?? ''}`, isBad: true };
  if (status === 'done') return { what: 'Tool done', detail: `${name} → ${output ?? ''}` };
  return { what: 'Tool call', detail: `${name} ${JSON.stringify(args)}` };
}
