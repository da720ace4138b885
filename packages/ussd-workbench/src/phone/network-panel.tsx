import type { UssdSimulatorSettings } from '@mlango/schemas/ussd-simulator';
import { useId, useState } from 'react';
import { nameOfLanguage } from '../format.js';
import type { AggregatorId } from '../wire/aggregators.js';
import { type Fault, faults } from '../wire/faults.js';
import type { Simulator } from '../wire/simulator.js';
import { type Handsets, type Network, openSessionOf } from './use-handsets.js';

interface NetworkPanelProps {
  readonly handsets: Handsets;
  readonly network: Network;
  readonly onChange: (change: Partial<Network>) => void;
  readonly simulator: Simulator;
  readonly settings: UssdSimulatorSettings;
  readonly aggregators: readonly AggregatorId[];
}

/** Settings of the simulated network: aggregator, faults and stored language. */
export function NetworkPanel({ handsets, network, onChange, simulator, settings, aggregators }: NetworkPanelProps) {
  const [notice, setNotice] = useState('');
  const { number, phase } = handsets.current;
  const open = openSessionOf(handsets.current);
  const isAggregator = (id: string): id is AggregatorId => (aggregators as readonly string[]).includes(id);
  const known = settings.aggregators.filter(({ id }) => isAggregator(id));

  function setLanguage(language: string): void {
    simulator.setLanguage(number, language).then(
      () => setNotice(`Saved: ${nameOfLanguage(language)} from the next dial on.`),
      () => setNotice('The language could not be saved. Try again.'),
    );
  }

  function expire(): void {
    if (open === undefined) return;
    simulator.expire(open).then(
      () => setNotice('The session has timed out. Dial again: the flow may offer to continue.'),
      () => setNotice('The session could not be ended. Try again.'),
    );
  }

  return (
    <section className="card stack" aria-labelledby="network-heading">
      <h2 id="network-heading">Network</h2>
      {known.length < 2 ? null : (
        <Choice
          label="Aggregator"
          value={network.aggregator}
          disabled={open !== undefined}
          options={known.map(({ id, name }) => [id, name])}
          onChoose={(id) => isAggregator(id) && onChange({ aggregator: id })}
        />
      )}
      <Choice
        label="Language"
        value=""
        disabled={open !== undefined}
        options={[['', 'Stored language'], ...settings.languages.map((code) => [code, nameOfLanguage(code)] as const)]}
        onChoose={setLanguage}
      />
      <Choice
        label="Network fault"
        value={network.fault}
        options={Object.entries(faults)}
        onChoose={(name) => onChange({ fault: name as Fault })}
      />
      <button type="button" disabled={phase !== 'open'} onClick={expire}>
        End the session by timeout
      </button>
      <p role="status" className="small">
        {notice}
      </p>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly disabled?: boolean;
  /** Pairs of value and label. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, disabled = false, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} disabled={disabled} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([one, name]) => (
          <option key={one} value={one} disabled={one === ''}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
