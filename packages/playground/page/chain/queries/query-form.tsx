import { type FormEvent, useRef, useState } from 'react';
import { CopyButton } from '../../shell/copy-button.js';
import { type Answer, askChain } from '../asking/ask-chain.js';
import { buildPath, curlOf, missingOf } from '../description/build-path.js';
import type { Operation } from '../description/description.js';
import { useAsOf } from '../here/chain-href.js';
import { chainBase } from '../here/paths.js';
import { AnswerView } from './answer-view.js';
import { ParameterField } from './parameter-field.js';

const heightHeader = 'x-cosmos-block-height';

/** A form made of a query's parameters, and what the gateway answers. */
export function QueryForm({ operation }: { readonly operation: Operation }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => examplesOf(operation));
  const at = useAsOf();
  const [answer, setAnswer] = useState<Answer>();
  const [isAsking, setIsAsking] = useState(false);
  const last = useRef<AbortController>(undefined);
  const path = buildPath(operation, values);
  const height = values[heightHeader] || at;
  const missing = missingOf(operation, values);

  async function ask(event: FormEvent): Promise<void> {
    event.preventDefault();
    last.current?.abort();
    const controller = new AbortController();
    last.current = controller;
    setIsAsking(true);
    try {
      setAnswer(await askChain(path, controller.signal, height));
      setIsAsking(false);
    } catch {
      // Asked anew meanwhile: the newer question has the word.
    }
  }

  return (
    <>
      <form className="card stack" onSubmit={(event) => void ask(event)}>
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
      <div aria-live="polite" aria-busy={isAsking}>
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
