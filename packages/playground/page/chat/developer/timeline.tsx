import type { IMessageComponent, IRunMoment, RunEvent } from '@mlango/oracle-client';
import { memo, useEffect, useRef } from 'react';
import { ScrollBox } from '../../shell/parts.js';

/** A duration in seconds, such as 0.31 s or 12.4 s. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1_000;
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}

interface ShownMoment {
  /** The kind of event, as one or two words. */
  readonly what: string;
  /** The text itself, or the call. */
  readonly detail: string;
  readonly isBad?: boolean;
}

/** The text of a line of the timeline. Pure. */
export function momentText(event: RunEvent): ShownMoment {
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
      return shownComponent(event.component);
    case 'failure':
      return { what: 'Failed', detail: event.failure.detail, isBad: true };
    case 'restart':
      return { what: 'Restarted', detail: 'the text before this was discarded' };
    case 'done':
      return { what: 'Done', detail: event.isCut === true ? `${event.status}, cut short` : event.status };
  }
}

function shownComponent({ kind, name, status, args, output, error }: IMessageComponent): ShownMoment {
  if (kind === 'render_component') return { what: 'Card', detail: name };
  if (status === 'error') return { what: 'Tool failed', detail: `${name}: ${error ?? ''}`, isBad: true };
  if (status === 'done') return { what: 'Tool done', detail: `${name} → ${output ?? ''}` };
  return { what: 'Tool call', detail: `${name} ${JSON.stringify(args)}` };
}

interface TimelineProps {
  readonly moments: readonly IRunMoment[];
  /** How many of them are shown. */
  readonly at: number;
}

/** All events of a run with their times: over its whole duration, and line by line. */
export function Timeline({ moments, at }: TimelineProps) {
  const wholeMs = Math.max(1, moments.at(-1)?.atMs ?? 1);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const line = list.current?.children[at - 1];
    // Scrolls the box only, and not the page around it.
    const box = list.current?.parentElement;
    if (!(line instanceof HTMLElement) || !box) return;
    box.scrollTop = line.offsetTop - box.clientHeight + line.offsetHeight;
  }, [at]);
  return (
    <>
      <div className="run-track" aria-hidden="true">
        {/* Moments are only ever added at the end: each is known by its place. */}
        {moments.slice(0, at).map(({ atMs, event }, index) => (
          <span key={index} className={`run-${event.kind}`} style={{ left: `${(atMs / wholeMs) * 100}%` }} />
        ))}
      </div>
      <ScrollBox label="Timeline" className="timeline">
        <ol ref={list}>
          {moments.slice(0, at).map((moment, index) => (
            <Line key={index} moment={moment} />
          ))}
        </ol>
      </ScrollBox>
    </>
  );
}

const Line = memo(function Line({ moment: { atMs, frames, event } }: { readonly moment: IRunMoment }) {
  const { what, detail, isBad = false } = momentText(event);
  return (
    <li>
      <span className="mono quiet">{formatDuration(atMs)}</span>
      <span className={isBad ? 'badge bad' : 'badge'}>{what}</span>
      <span className="timeline-detail" title={detail.slice(0, 2_000)} dir="auto">
        {detail.slice(0, 300)}
      </span>
      <span className="quiet small">{frames > 1 ? `× ${frames}` : ''}</span>
    </li>
  );
});
