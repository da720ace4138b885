import { useEffect, useState } from 'react';
import { useSettings } from '../shell/settings.js';

/** A number of nobody: what is looked at from here is the first screen. */
const NUMBER = '+254700000000';

/** A small phone on which the code was just dialled. */
export function PhoneGlimpse() {
  const { handset, serviceCode } = useSettings();
  const [screen, setScreen] = useState('');
  useEffect(() => {
    if (!handset) return undefined;
    const controller = new AbortController();
    dial(serviceCode, controller.signal).then(setScreen, () => undefined);
    return () => controller.abort();
  }, [handset, serviceCode]);
  return (
    <div className="small-phone">
      <div className="small-screen">
        <p className="dialled mono">{serviceCode}</p>
        <p className="shown mono" data-testid="glimpse-phone">
          {handset ? screen : 'The handset is turned off.'}
        </p>
      </div>
      <div className="small-keys" aria-hidden="true">
        {['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'].map((key) => (
          <i key={key}>{key}</i>
        ))}
      </div>
    </div>
  );
}

/** The first screen, without what says whether the session goes on. */
async function dial(serviceCode: string, signal: AbortSignal): Promise<string> {
  const body = JSON.stringify({ sessionId: crypto.randomUUID(), serviceCode, phoneNumber: NUMBER, text: '' });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/ussd/api/ussd', { method: 'POST', headers, body, signal });
  if (!response.ok) throw new Error(`The gateway answered ${response.status}.`);
  return (await response.text()).replace(/^(CON|END) /, '');
}
