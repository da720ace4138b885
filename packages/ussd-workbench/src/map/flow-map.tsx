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
  const here = place.flow && nameOf(place.flow);
  const shown = map.flows.find((flow) => nameOf(flow) === (chosen ?? here)) ?? map.flows[0];
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
      <p className="small quiet">
        Each arrow shows: visitors, median time on the screen before, drop-off after. Dashed boxes start the flow.
        Select a screen to open it.
      </p>
      <Drawn flow={shown} place={nameOf(shown) === here ? place.screen : undefined} opened={opened} onOpen={open} />
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

interface DrawnProps {
  readonly flow: UssdMappedFlow;
  readonly place: string | undefined;
  readonly opened: string | undefined;
  readonly onOpen: (screen: string) => void;
}

function Drawn({ flow, place, opened, onOpen }: DrawnProps) {
  const [whole, setWhole] = useState(false);
  const boxed = whole ? 'map-box map-box-whole' : 'map-box';
  const drawn = useRef<SVGSVGElement>(null);
  const box = useRef<HTMLElement>(null);
  const drawing = useMemo(() => layOut(flow), [flow]);

  // Scrolls the box only, not the page around it.
  const seen = drawing.screens.find(({ screen }) => screen === (place ?? flow.start));
  const [x, y] = [seen?.x ?? 0, seen?.y ?? 0];
  useEffect(() => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    if (!whole) box.current?.scrollTo({ left: x - clientWidth / 2, top: y - clientHeight / 3 });
  }, [x, y, whole]);

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard alone could not scroll in every browser. */}
      <section ref={box} className={boxed} aria-label="Map of the flow" tabIndex={0}>
        <MapDrawing ref={drawn} drawing={drawing} place={place} opened={opened} onOpen={onOpen} whole={whole} />
      </section>
      <div className="row">
        <button type="button" className="tight" aria-pressed={whole} onClick={() => setWhole(!whole)}>
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
