import type { IRunRecord } from '@mlango/oracle-client';
import { Markdown, ToolCall, UiRoot } from '@mlango/oracle-client/ui';
import { figuresOf, type RunFigures } from './run-figures.js';
import { runSoFar } from './run-so-far.js';
import { saidDuration } from './said-duration.js';
import { Timeline } from './timeline.js';
import { useReplay } from './use-replay.js';

/** One run: its figures, its timeline, and a way to step through it once more. */
export function RunView({ record }: { readonly record: IRunRecord }) {
  const { message, moments } = record;
  const replay = useReplay(moments);
  const { at, isBack, isPlaying } = replay;
  const sofar = isBack ? runSoFar(moments.slice(0, at)) : undefined;
  return (
    <>
      {message === undefined ? null : <p className="run-message small break">{message}</p>}
      <Figures figures={figuresOf(moments)} />
      <fieldset className="replay">
        <legend className="unseen">Replay</legend>
        <button type="button" className="tight" disabled={at === 0} onClick={() => replay.show(at - 1)}>
          Back
        </button>
        <button
          type="button"
          className="tight primary"
          disabled={moments.length === 0}
          onClick={() => replay.play(!isPlaying)}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <button type="button" className="tight" disabled={!isBack} onClick={() => replay.show(at + 1)}>
          On
        </button>
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={`${at} of ${moments.length}, ${saidDuration(moments[at - 1]?.atMs ?? 0)}`}
          min={0}
          max={moments.length}
          value={at}
          onChange={({ target }) => replay.show(Number(target.value))}
        />
        <span className="small quiet" data-testid="replay-at">
          {at} of {moments.length}
        </span>
      </fieldset>
      {sofar === undefined ? null : (
        <section className="run-so-far" aria-label="The answer at this moment">
          <UiRoot>
            {sofar.reasoning === '' ? null : <p className="quiet small">{sofar.reasoning}</p>}
            {sofar.components
              .filter(({ kind }) => kind !== 'render_component')
              .map(({ id, name, ...call }) => (
                <ToolCall key={id} toolName={name} {...call} />
              ))}
            <Markdown text={sofar.text} isStreaming />
          </UiRoot>
        </section>
      )}
      <Timeline moments={moments} at={at} />
    </>
  );
}

function Figures({ figures }: { readonly figures: RunFigures }) {
  const { status, model, firstMs, wholeMs, frames, steps, calls, usage } = figures;
  const about = usage?.isEstimated === true ? 'about ' : '';
  return (
    <dl className="figures">
      <Figure name="Status" value={status} />
      <Figure name="Model" value={model} />
      <Figure name="Time to first token" value={firstMs === undefined ? '–' : saidDuration(firstMs)} />
      <Figure name="Total time" value={saidDuration(wholeMs)} />
      <Figure name="Frames" value={String(frames)} />
      <Figure name="Steps" value={String(steps)} />
      <Figure name="Tool calls" value={String(calls)} />
      <Figure name="Tokens" value={usage && `${about}${usage.inputTokens} in, ${usage.outputTokens} out`} />
      {usage === undefined ? null : (
        <Figure
          name="Cost"
          value={usage.credits === undefined ? 'none: no credits here' : `${about}${usage.credits} credits`}
        />
      )}
    </dl>
  );
}

function Figure({ name, value = '–' }: { readonly name: string; readonly value: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
