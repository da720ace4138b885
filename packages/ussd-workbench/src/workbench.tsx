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
  /** Path prefix of the USSD gateway; empty on its own origin. */
  readonly gateway: string;
  /** Initial phone numbers, E.164. */
  readonly numbers: readonly [string, ...string[]];
  readonly serviceCode: string;
  /** The aggregators to offer. Default: all of the gateway. */
  readonly aggregators?: readonly AggregatorId[];
}

/** A phone connected to a gateway and, if the gateway has its simulator on, the map of the flow. */
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
        <HopLog hops={handsets.current.hops} resend={handsets.resend} />
      </div>
    </div>
  );
}
