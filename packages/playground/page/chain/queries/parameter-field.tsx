import { useId } from 'react';
import type { Parameter } from '../description/description.js';

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
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
