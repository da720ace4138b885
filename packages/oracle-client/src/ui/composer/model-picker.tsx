import type { ReactElement } from 'react';
import type { IOracleModel } from '../../models/use-oracle-models.js';
import { useWords } from '../words/words.js';

export interface ModelPickerProps {
  readonly models: readonly IOracleModel[];
  /** The id of the one that answers; undefined for the oracle's own choice. */
  readonly model: string | undefined;
  readonly onModel: (id: string) => void;
}

/** Which of the oracle's models answers. Nothing where there is no choice. */
export function ModelPicker({ models, model, onModel }: ModelPickerProps): ReactElement | null {
  const { model: label } = useWords().composer;
  if (models.length < 2) return null;
  return (
    <select
      className="mlango-models"
      aria-label={label}
      value={model ?? models.find(({ isDefault }) => isDefault)?.id}
      onChange={({ target }) => onModel(target.value)}
    >
      {models.map(({ id, label: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
