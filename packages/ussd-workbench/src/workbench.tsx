import { useState } from 'react';
import { FlowMap } from './map/flow-map.js';
import { HandsetView } from './phone/handset-view.js';
import { HopLog } from './phone/hop-log.js';
import { NetworkPanel } from './phone/network-panel.js';
import { NumberPicker } from './phone/number-picker.js';
import { Recorder } from './phone/recorder.js';
import { type Network, useHandsets } from './phone/use-handsets.js';
import { useMap, useSimulator } from './use-simulator.js';
import { type AggregatorId, aggregatorIds } from './wire/aggregators.js';

interface WorkbenchProps {
  /** What the paths of the USSD gateway begin with; empty on its own origin. */
  readonly gateway: string;
  /** Phones to begin with, E.164. */
  readonly numbers: readonly [string, ...string[]];
  readonly serviceCode: string;
  /** By which the phone may come, where that is not by all that the gateway has. */
  readonly aggregators?: readonly AggregatorId[];
}

/** A phone on a gateway; beside it, where the gateway has a simulator, the flow that the phone is in. */
export function Workbench({ gateway, numbers, serviceCode, aggregators = aggregatorIds }: WorkbenchProps) {
  const [network, setNetwork] = useState<Network>({ gateway, aggregator: 'canonical', fault: 'none' });
  const handsets = useHandsets(numbers, serviceCode, network);
  const found = useSimulator(gateway);
  const { map, place } = useMap(found?.simulator, handsets.current);
  return (
    <div className="workbench">
      <HandsetView handsets={handsets} />
      {found === undefined || map === undefined ? null : (
        <div className="workbench-map">
          <FlowMap simulator={found.simulator} code={handsets.current.lastCode} map={map} place={place} />
        </div>
      )}
      <div className="stack workbench-side">
        <NumberPicker handsets={handsets} />
        {found === undefined ? null : (
          <>
            <NetworkPanel
              key={handsets.current.number}
              {...found}
              aggregators={aggregators}
              handsets={handsets}
              network={network}
              onChange={(change) => setNetwork({ ...network, ...change })}
            />
            <Recorder {...found} handsets={handsets} />
          </>
        )}
        <HopLog hops={handsets.current.hops} again={handsets.again} />
      </div>
    </div>
  );
}
