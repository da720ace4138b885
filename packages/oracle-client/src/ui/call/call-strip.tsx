import type { ReactElement } from 'react';
import { IconButton } from '../icon-button.js';
import { useLoaded } from '../use-loaded.js';
import { useWords } from '../words/words.js';
import type { CallViewProps } from './call-view.js';
import type { CallOptions } from './live-agent-entry.js';

interface CallStripProps extends Omit<CallViewProps, 'useLiveAgent' | 'createWorker'> {
  readonly calls: CallOptions;
}

/** A call from when it is started to when it is put away, once what it takes is loaded. */
export function CallStrip({ calls, ...props }: CallStripProps): ReactElement {
  const words = useWords();
  const loaded = useLoaded(() => Promise.all([import('./call-view.js'), calls.load()]));
  if (loaded !== undefined && loaded !== 'failed') {
    const [{ CallView }, { useLiveAgent }] = loaded;
    return <CallView {...props} useLiveAgent={useLiveAgent} createWorker={calls.createWorker} />;
  }
  return (
    <div className="mlango-strip">
      <span role={loaded === undefined ? 'status' : 'alert'} className="mlango-gap">
        {loaded === undefined ? words.call.connecting : words.call.problems.refused}
      </span>
      <IconButton icon="close" name={words.frame.close} onPress={props.onClose} />
    </div>
  );
}
