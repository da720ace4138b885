import type { UssdFlowMap } from '@mlango/schemas/ussd-flow-map';
import type { UssdSimulatorPlace, UssdSimulatorSettings } from '@mlango/schemas/ussd-simulator';
import { useEffect, useMemo, useState } from 'react';
import type { Handset } from './phone/handset.js';
import { openSessionOf } from './phone/use-handsets.js';
import { type Simulator, simulatorAt } from './wire/simulator.js';

/** The simulator of a gateway and its settings. */
export interface FoundSimulator {
  readonly simulator: Simulator;
  readonly settings: UssdSimulatorSettings;
}

/** Undefined until the settings are loaded, and if the gateway has no simulator. */
export function useSimulator(gateway: string): FoundSimulator | undefined {
  const simulator = useMemo(() => simulatorAt(gateway), [gateway]);
  const [settings, setSettings] = useState<UssdSimulatorSettings>();
  useEffect(() => {
    simulator.settings().then(setSettings, () => setSettings(undefined));
  }, [simulator]);
  return settings && { simulator, settings };
}

/** The flows and the position of a phone in them, loaded after each hop. */
export function useMap(simulator: Simulator | undefined, handset: Handset) {
  const [map, setMap] = useState<UssdFlowMap>();
  const [place, setPlace] = useState<UssdSimulatorPlace>({});
  const [last] = handset.hops;
  const open = openSessionOf(handset);
  const { aggregator, sessionId, phoneNumber } = open ?? {};
  const code = handset.lastCode;
  const answered = last?.reply === undefined ? undefined : last.id;
  const isWaiting = handset.phase === 'waiting';
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answered hop triggers a reload.
  useEffect(() => {
    if (simulator === undefined || isWaiting) return undefined;
    let isNow = true;
    const placed =
      aggregator === undefined || sessionId === undefined || phoneNumber === undefined
        ? Promise.resolve({})
        : simulator.place({ aggregator, sessionId, phoneNumber, serviceCode: code });
    // After a failure the old state stays: the next hop loads again.
    Promise.all([placed, simulator.map(code)]).then(
      ([found, read]) => {
        if (!isNow) return;
        setPlace(found);
        setMap(read);
      },
      () => {},
    );
    return () => {
      isNow = false;
    };
  }, [simulator, aggregator, sessionId, phoneNumber, code, isWaiting, answered]);
  return { map, place };
}
