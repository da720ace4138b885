import type { UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';
import type { UssdPrintedScreen } from '@mlango/schemas/ussd-simulator';
import { useEffect, useState } from 'react';
import { formatShare, formatTime, nameOfLanguage } from '../format.js';
import { sizeOf } from '../phone/message-size.js';
import type { Simulator } from '../wire/simulator.js';

interface ScreenCardProps {
  readonly simulator: Simulator;
  /** The service code to dial. */
  readonly code: string;
  readonly flow: UssdMappedFlow;
  readonly name: string;
  readonly onOpen: (screen: string) => void;
  readonly onClose: () => void;
}

/** One screen: its text and size in each language, and the screens that follow it. */
export function ScreenCard({ simulator, code, flow, name, onOpen, onClose }: ScreenCardProps) {
  const [printed, setPrinted] = useState<UssdPrintedScreen | 'failed'>();
  const { id, version } = flow;
  useEffect(() => {
    simulator.screen(code, { id, version }, name).then(setPrinted, () => setPrinted('failed'));
  }, [simulator, code, id, version, name]);
  const ways = flow.ways.filter(({ from }) => from === name).toSorted((a, b) => b.people - a.people);
  return (
    <section className="stack screen-card" aria-labelledby="screen-card-heading">
      <div className="row spread">
        <h3 id="screen-card-heading">{name}</h3>
        <button type="button" className="tight" onClick={onClose}>
          Close
        </button>
      </div>
      {printed === 'failed' ? <p role="alert">The screen could not be loaded. Close it and try again.</p> : null}
      <div className="screen-languages" aria-live="polite">
        {typeof printed === 'object'
          ? printed.languages.map((one) => <InLanguage key={one.language} {...one} />)
          : null}
      </div>
      {ways.length === 0 ? null : (
        <table className="ways">
          <caption>Next screens</caption>
          <thead>
            <tr>
              <th scope="col">To</th>
              <th scope="col">Input</th>
              <th scope="col">Visitors</th>
              <th scope="col">Median time</th>
              <th scope="col">Left after</th>
            </tr>
          </thead>
          <tbody>
            {ways.map(({ to, by, kind, people, medianMs, dropOff }) => (
              <tr key={to}>
                <td>
                  <button type="button" className="plain tight" onClick={() => onOpen(to)}>
                    {to}
                  </button>
                </td>
                <td>{by.join(', ') || (kind === 'stayed' ? 'same screen' : 'other')}</td>
                <td>{people}</td>
                <td>{formatTime(medianMs)}</td>
                <td>{formatShare(dropOff)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function InLanguage({ language, pages, longest }: UssdPrintedScreen['languages'][number]) {
  const most = sizeOf(longest);
  return (
    <div className="stack">
      <h4>{nameOfLanguage(language)}</h4>
      {pages.map((page) => (
        <div key={page}>
          <pre className="printed" lang={language}>
            {page}
          </pre>
          <p className="small quiet">{formatSize(sizeOf(page))}</p>
        </div>
      ))}
      <p className="small quiet">Longest text: {formatSize(most)}</p>
    </div>
  );
}

function formatSize({ used, limit, unit }: ReturnType<typeof sizeOf>): string {
  return `${used} of ${limit} ${unit}`;
}
