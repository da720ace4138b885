import type { IRunMoment } from '@mlango/oracle-client';
import { memo, useEffect, useRef } from 'react';
import { ScrollBox } from '../../shell/scroll-box.js';
import { saidDuration } from './said-duration.js';
import { toldMoment } from './told-moment.js';

interface TimelineProps {
  readonly moments: readonly IRunMoment[];
  /** How many of them are shown. */
  readonly at: number;
}

/** All that came of a run, and when: over the whole of its time, and line by line. */
export function Timeline({ moments, at }: TimelineProps) {
  const wholeMs = Math.max(1, moments.at(-1)?.atMs ?? 1);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const line = list.current?.children[at - 1];
    // The box alone scrolls, and not the page that it is in.
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
  const { what, detail, isBad = false } = toldMoment(event);
  return (
    <li>
      <span className="mono quiet">{saidDuration(atMs)}</span>
      <span className={isBad ? 'badge bad' : 'badge'}>{what}</span>
      <span className="timeline-detail" title={detail.slice(0, 2_000)} dir="auto">
        {detail.slice(0, 300)}
      </span>
      <span className="quiet small">{frames > 1 ? `× ${frames}` : ''}</span>
    </li>
  );
});
