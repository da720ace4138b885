import { type IRunRecord, useRunRecords } from '@mlango/oracle-client';
import { saveFile } from '@mlango/ussd-workbench/save-file';
import { useId, useState } from 'react';
import { FileButton } from '../../shell/parts.js';
import { useSettings } from '../../shell/settings.js';
import { oracleAddress } from '../oracle-address.js';
import { type RunFile, readRunFile, writeRunFile } from './run-file.js';
import { RunView } from './run-view.js';

/** The runs of a session that this page received, and a run from a file. */
export function RunPanel({ sessionId }: { readonly sessionId: string }) {
  const { oracleDid } = useSettings();
  const records = useRunRecords({ oracleDid, sessionId, overrides: oracleAddress });
  const [chosen, setChosen] = useState<string>();
  const [opened, setOpened] = useState<RunFile>();
  const [problem, setProblem] = useState('');
  const id = useId();
  const live = records.find(({ requestId }) => requestId === chosen) ?? records.at(-1);
  const record = opened?.record ?? live;

  async function open(file: File): Promise<void> {
    const read = await readRunFile(file);
    setProblem('problem' in read ? read.problem : '');
    if (!('problem' in read)) setOpened(read);
  }

  return (
    <section className="stack run-panel" aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{opened === undefined ? 'Run' : 'Run from a file'}</h3>
      {opened === undefined && records.length > 1 ? (
        <select aria-label="Which run" value={live?.requestId} onChange={({ target }) => setChosen(target.value)}>
          {records.toReversed().map((each) => (
            <option key={each.requestId} value={each.requestId}>
              {titleOf(each)}
            </option>
          ))}
        </select>
      ) : null}
      {record === undefined ? (
        <p className="quiet small">
          Send a message to see its run here, step by step. You can also open a run from a file.
        </p>
      ) : (
        <RunView key={`${opened === undefined} ${record.requestId}`} record={record} />
      )}
      <div className="row">
        {opened !== undefined ? (
          <button type="button" className="tight" onClick={() => setOpened(undefined)}>
            Back to this conversation
          </button>
        ) : record === undefined ? null : (
          <button
            type="button"
            className="tight"
            title="The file holds all texts of this run, with the arguments and results of its tools."
            onClick={() => saveFile(writeRunFile(oracleDid, record), 'application/json', nameOf(record))}
          >
            Save as file
          </button>
        )}
        <FileButton label="Open a file" accept=".json,application/json" onFile={(file) => void open(file)} />
      </div>
      {problem === '' ? null : (
        <p className="notice bad small" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function titleOf({ message, startedAt }: IRunRecord): string {
  return `${new Date(startedAt).toLocaleTimeString()} ${message ?? 'Sent from another place'}`.slice(0, 60);
}

function nameOf({ startedAt }: IRunRecord): string {
  return `run-${startedAt.slice(0, 19).replaceAll(':', '-')}.json`;
}
