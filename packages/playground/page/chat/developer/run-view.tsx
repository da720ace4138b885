import type { IMessageComponent, IRunMoment, IRunRecord, IRunUsage } from '@mlango/oracle-client';
import { Markdown, ToolCall, UiRoot } from '@mlango/oracle-client/ui';
import { formatDuration, Timeline } from './timeline.js';
import { useReplay } from './use-replay.js';

/** The visible part of an answer at some time. */
export interface RunSoFar {
  readonly reasoning: string;
  readonly text: string;
  /** Calls and cards, in the order in which they began, each as it was then. */
  readonly components: readonly IMessageComponent[];
}

/** A run after its first moments. Pure. */
export function runSoFar(moments: readonly IRunMoment[]): RunSoFar {
  const components = new Map<string, IMessageComponent>();
  let [reasoning, text] = ['', ''];
  for (const { event } of moments) {
    if (event.kind === 'restart') {
      [reasoning, text] = ['', ''];
      components.clear();
    }
    if (event.kind === 'reasoning') reasoning += event.text;
    if (event.kind === 'text') text += event.text;
    if (event.kind === 'component' || event.kind === 'failure') {
      components.set(`${event.component.kind} ${event.component.id}`, event.component);
    }
    if (event.kind === 'done') text = event.partialText || text;
  }
  return { reasoning, text, components: [...components.values()] };
}

export interface RunFigures {
  /** Status by the oracle; `running` until it is reported. */
  readonly status: string;
  /** Id of the model that answered. */
  readonly model: string | undefined;
  /** Until the first text or thought. */
  readonly firstMs: number | undefined;
  /** Until the last event. */
  readonly wholeMs: number;
  readonly frames: number;
  /** Number of model calls: text or reasoning after a finished tool call starts a new one. */
  readonly steps: number;
  readonly calls: number;
  readonly usage: IRunUsage | undefined;
}

/** The figures of a run. Pure. */
export function figuresOf(moments: readonly IRunMoment[]): RunFigures {
  const calls = new Set<string>();
  let [frames, steps, hasQuestion, firstMs] = [0, 0, false, undefined as number | undefined];
  let [status, usage] = ['running', undefined as IRunUsage | undefined];
  let model: string | undefined;
  for (const { atMs, frames: some, event } of moments) {
    frames += some;
    if (event.kind === 'restart') [steps, hasQuestion] = [0, false];
    if (event.kind === 'text' || event.kind === 'reasoning') {
      firstMs ??= atMs;
      if (!hasQuestion) steps += 1;
      hasQuestion = true;
    }
    if (event.kind === 'component' && event.component.kind !== 'render_component') {
      calls.add(event.component.id);
      // A model that only calls tools was called too.
      steps = Math.max(steps, 1);
      if (event.component.status !== 'isRunning') hasQuestion = false;
    }
    if (event.kind === 'done') ({ status, usage, model } = { usage, model, ...event });
  }
  return { status, model, firstMs, wholeMs: moments.at(-1)?.atMs ?? 0, frames, steps, calls: calls.size, usage };
}

/** One run: its figures, its timeline, and controls to replay it. */
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
          aria-valuetext={`${at} of ${moments.length}, ${formatDuration(moments[at - 1]?.atMs ?? 0)}`}
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
      <Figure name="Time to first token" value={firstMs === undefined ? '–' : formatDuration(firstMs)} />
      <Figure name="Total time" value={formatDuration(wholeMs)} />
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
