import type { ReactElement } from 'react';
import { recordOf } from '../../api/requests/values.js';
import type { IOracleModel } from '../../hooks/use-oracle-endpoints.js';
import { useWords } from '../../words/words.js';

export interface ModelPickerProps {
  readonly models: readonly IOracleModel[];
  /** The id of the one that answers; undefined for the oracle's own choice. */
  readonly model: string | undefined;
  readonly onModel: (id: string) => void;
}

/** The selection of the oracle's model. Empty if there is one only. */
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

/** Key in the local storage. */
const place = 'mlango models';

/** The stored model of a user and oracle; undefined without one. */
export function readModel(key: string): string | undefined {
  const stored = storedModels()[key];
  return typeof stored === 'string' ? stored : undefined;
}

/** A browser without storage for this page does not save it. */
export function saveModel(key: string, id: string): void {
  try {
    localStorage.setItem(place, JSON.stringify({ ...storedModels(), [key]: id }));
  } catch {
    // Full, or switched off.
  }
}

function storedModels(): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(localStorage.getItem(place) ?? '{}'));
  } catch {
    return {};
  }
}
