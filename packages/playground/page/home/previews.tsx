import { lazy, Suspense, useEffect, useState } from 'react';
import { useLiveBlocks } from '../chain/parts/live-blocks.js';
import { useSettings } from '../shell/settings.js';

const SHOWN = 4;

/** The height of the chain as it grows, over the blocks before. */
export function ChainGlimpse() {
  const { blocks, isUnreachable } = useLiveBlocks();
  if (isUnreachable) return <p className="quiet small">The chain node cannot be reached.</p>;
  const height = blocks[0]?.height;
  return (
    <div className="small-chain">
      <p className="height">
        <span className="quiet small">Block</span>{' '}
        <strong key={height} className="tick" data-testid="glimpse-height">
          {heightText(height, 0)}
        </strong>
      </p>
      <ol aria-hidden="true">
        {Array.from({ length: SHOWN }, (_, at) => (
          <li key={at} className="mono small">
            {heightText(height, at + 1)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function heightText(height: string | undefined, before: number): string {
  return height === undefined ? '…' : (Number(height) - before).toLocaleString('en');
}

/** An unassigned number: only the first screen is shown. */
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

/** The first screen, without the CON or END prefix. */
async function dial(serviceCode: string, signal: AbortSignal): Promise<string> {
  const body = JSON.stringify({ sessionId: crypto.randomUUID(), serviceCode, phoneNumber: NUMBER, text: '' });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/ussd/api/ussd', { method: 'POST', headers, body, signal });
  if (!response.ok) throw new Error(`The gateway answered ${response.status}.`);
  return (await response.text()).replace(/^(CON|END) /, '');
}

const AnswerLine = lazy(() => import('./answer-line.js').then((module) => ({ default: module.AnswerLine })));

const QUESTION = 'What can you do?';

/** A question to the oracle with its streamed answer. */
export function ChatGlimpse() {
  return (
    <div className="small-chat">
      <p className="question">{QUESTION}</p>
      <div className="answered" aria-live="polite" data-testid="glimpse-answer">
        {window.isSecureContext ? (
          <Suspense fallback={<Dots />}>
            <AnswerLine question={QUESTION} waiting={<Dots />} />
          </Suspense>
        ) : (
          <p>The chat needs a secure address: HTTPS, or localhost.</p>
        )}
      </div>
    </div>
  );
}

function Dots() {
  return (
    <span className="dots">
      <i />
      <i />
      <i />
      <span className="unseen">Waiting for the answer</span>
    </span>
  );
}
