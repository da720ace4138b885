import type { UssdFlowMap, UssdMappedFlow } from '@mlango/schemas/ussd-flow-map';
import type { UssdSimulatorPlace } from '@mlango/schemas/ussd-simulator';
import { useEffect, useMemo, useRef, useState } from 'react';
import { saveSvg } from '../save-file.js';
import type { Simulator } from '../wire/simulator.js';
import { layOut } from './layout.js';
import { MapDrawing } from './map-drawing.js';
import { ScreenCard } from './screen-card.js';

interface FlowMapProps {
  readonly simulator: Simulator;
  /** The service code to dial. */
  readonly code: string;
  readonly map: UssdFlowMap;
  readonly place: UssdSimulatorPlace;
}

/** The flow as a graph with the current screen of the phone marked, and the details of an opened screen. */
export function FlowMap({ simulator, code, map, place }: FlowMapProps) {
  const [chosen, choose] = useState<string>();
  const [opened, open] = useState<string>();
  const names = map.flows.map(nameOf);
  const current = place.flow && nameOf(place.flow);
  const shown = map.flows.find((flow) => nameOf(flow) === (chosen ?? current)) ?? map.flows[0];
  if (shown === undefined) return null;
  return (
    <section className="card stack flow-map" aria-labelledby="flow-map-heading">
      <div className="row spread">
        <h2 id="flow-map-heading">The flow</h2>
        {names.length < 2 ? null : (
          <label className="row">
            Version
            <select value={nameOf(shown)} onChange={({ target }) => choose(target.value)}>
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      <p className="small quiet">Select a screen to read its texts and the screens that follow.</p>
      <Legend />
      <Drawn
        flow={shown}
        current={nameOf(shown) === current ? place.screen : undefined}
        opened={opened}
        onOpen={open}
      />
      {opened === undefined ? null : (
        <ScreenCard
          key={`${nameOf(shown)} ${opened}`}
          simulator={simulator}
          code={code}
          flow={shown}
          name={opened}
          onOpen={open}
          onClose={() => open(undefined)}
        />
      )}
    </section>
  );
}

/** The meaning of shapes, lines and figures. */
function Legend() {
  return (
    <ul className="map-legend small" aria-label="Legend">
      <li>
        <i className="map-key map-key-menu" /> answered by a key
      </li>
      <li>
        <i className="map-key map-key-entry" /> answered by a text
      </li>
      <li>
        <i className="map-key map-key-closing" /> ends the session
      </li>
      <li>
        <i className="map-key map-key-current" /> shown on the phone
      </li>
      <li>
        <i className="map-key-line" /> how often taken, and the median time before
      </li>
      <li>
        <i className="map-key-line map-key-unused" /> not taken yet
      </li>
      <li>
        <i className="map-key-bar" /> share of visitors who left here
      </li>
      <li>
        <i className="map-key-sign">↩</i> also leads to
      </li>
    </ul>
  );
}

interface DrawnProps {
  readonly flow: UssdMappedFlow;
  /** The screen that the phone shows. */
  readonly current: string | undefined;
  readonly opened: string | undefined;
  readonly onOpen: (screen: string) => void;
}

function Drawn({ flow, current, opened, onOpen }: DrawnProps) {
  const [isScaled, setIsScaled] = useState(false);
  const drawn = useRef<SVGSVGElement>(null);
  const box = useRef<HTMLElement>(null);
  const drawing = useMemo(() => layOut(flow), [flow]);

  // Scrolls the box only, not the page around it.
  const shown = drawing.screens.find(({ screen }) => screen === (current ?? flow.start));
  const [x, y] = [shown?.x ?? 0, shown?.y ?? 0];
  useEffect(() => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    if (!isScaled) box.current?.scrollTo({ left: x - clientWidth / 2, top: y - clientHeight / 3 });
  }, [x, y, isScaled]);

  return (
    <>
      <section
        ref={box}
        className={isScaled ? 'map-scroll map-scaled' : 'map-scroll'}
        aria-label="Map of the flow"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard alone could not scroll in every browser.
        tabIndex={0}
      >
        <MapDrawing
          ref={drawn}
          drawing={drawing}
          current={current}
          opened={opened}
          onOpen={onOpen}
          isScaled={isScaled}
        />
      </section>
      <div className="row">
        <button type="button" className="tight" aria-pressed={isScaled} onClick={() => setIsScaled(!isScaled)}>
          Show all
        </button>
        <button
          type="button"
          className="tight"
          onClick={() => drawn.current && saveSvg(drawn.current, drawing, `${flow.id}-${flow.version}.svg`)}
        >
          Save as SVG
        </button>
      </div>
    </>
  );
}

function nameOf({ id, version }: { readonly id: string; readonly version: number }): string {
  return `${id}, ${version}`;
}
