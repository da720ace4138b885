import { type FormEvent, useId, useRef, useState } from 'react';
import { CopyButton } from '../../shell/parts.js';
import { Facts } from '../parts/facts.js';
import { JsonView } from '../parts/json-view.js';
import { useAsOf } from '../parts/links.js';
import { chainBase } from '../parts/paths.js';
import { type Answer, fetchFromChain } from '../parts/requests.js';
import { buildPath, curlOf, missingOf, type Operation, type Parameter } from './description.js';

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, description, required, example, kind, choices } = parameter;
  const id = useId();
  const words = kind === 'boolean' ? ['true', 'false'] : choices;
  const shared = { id, value, required, 'aria-describedby': `${id}-hint` };
  return (
    <div className="field">
      <label htmlFor={id}>
        {name}
        {required ? <span className="quiet"> (needed)</span> : null}
      </label>
      {words.length > 0 ? (
        <select {...shared} onChange={({ target }) => onChange(target.value)}>
          <option value="">Not set</option>
          {words.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <span id={`${id}-hint`} className="hint">
        {description}
      </span>
    </div>
  );
}

function AnswerView({ answer }: { readonly answer: Answer }) {
  const { status, ok, height, headers, tookMs, bytes, body } = answer;
  return (
    <section className="card stack" aria-label="Answer">
      <div className="row">
        <span className={`badge ${ok ? 'good' : 'bad'}`}>{status === 0 ? 'no answer' : status}</span>
        <span className="small quiet">
          {bytes.toLocaleString('en')} bytes in {tookMs} ms
        </span>
        {height === undefined ? null : (
          <span className="badge accent">Block {Number(height).toLocaleString('en')}</span>
        )}
      </div>
      <details>
        <summary>Headers</summary>
        <Facts facts={headers.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
      </details>
      <JsonView value={body} label="Answer as JSON" />
    </section>
  );
}

const heightHeader = 'x-cosmos-block-height';

/** A form for the parameters of a query, and its response. */
export function QueryForm({ operation }: { readonly operation: Operation }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => examplesOf(operation));
  const at = useAsOf();
  const [answer, setAnswer] = useState<Answer>();
  const [isLoading, setIsLoading] = useState(false);
  const last = useRef<AbortController>(undefined);
  const path = buildPath(operation, values);
  const height = values[heightHeader] || at;
  const missing = missingOf(operation, values);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    last.current?.abort();
    const controller = new AbortController();
    last.current = controller;
    setIsLoading(true);
    try {
      setAnswer(await fetchFromChain(path, controller.signal, height));
      setIsLoading(false);
    } catch {
      // A newer request has aborted this one.
    }
  }

  return (
    <>
      <form className="card stack" onSubmit={(event) => void submit(event)}>
        <h2 className="break">{operation.id.split('.').at(-1)}</h2>
        <p>{operation.summary}</p>
        <pre className="path">
          {operation.method} {path}
        </pre>
        <div className="parameters">
          {operation.parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              onChange={(value) => setValues({ ...values, [parameter.name]: value })}
            />
          ))}
        </div>
        <div className="row">
          <button type="submit" className="primary" disabled={missing.length > 0}>
            Ask
          </button>
          <CopyButton text={curlOf(window.location.origin + chainBase + path, height)}>Copy as curl</CopyButton>
          <span className="small quiet">{missing.length > 0 ? `Required: ${missing.join(', ')}` : ''}</span>
        </div>
      </form>
      <div aria-live="polite" aria-busy={isLoading}>
        {answer === undefined ? null : <AnswerView answer={answer} />}
      </div>
    </>
  );
}

/** Parameters of the path begin with their example, so that a first press of the button shows something. */
function examplesOf({ parameters }: Operation): Record<string, string> {
  return Object.fromEntries(
    parameters.filter(({ in: place }) => place === 'path').map(({ name, example }) => [name, example]),
  );
}
