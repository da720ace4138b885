import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Title } from '../shell/title.js';
import { EntityList } from './entities/entity-list.js';
import { FindAnything } from './find/find-anything.js';
import { AsOfSwitch } from './here/as-of-switch.js';
import { useAsOf } from './here/chain-href.js';
import { ChainLink } from './here/chain-link.js';
import { isFirstList, isKnown, views } from './here/views.js';
import { HeightStrip } from './live/height-strip.js';
import { useLiveBlocks } from './live/use-live-blocks.js';
import { openedViews, openViews } from './open-views.js';
import type { OtherViewProps } from './other-views.js';
import './chain.css';

export function ChainDoor({ route }: { readonly route: readonly string[] }) {
  const [view = 'entities', id] = route;
  const at = useAsOf();
  const live = useLiveBlocks();
  const showOther = useOtherViews();
  if (!isKnown(view, id)) return showOther({ view, id, live });
  return (
    <div className="stack">
      <div className="row spread">
        <Title>Explore the chain</Title>
        <HeightStrip live={live} />
      </div>
      <div className="chain-bar">
        <FindAnything key={view === 'find' ? id : ''} sought={view === 'find' ? (id ?? '') : ''} />
        <AsOfSwitch key={at} />
      </div>
      <nav aria-label="Views of the chain" className="views">
        {views.map(({ id: one, name }) => (
          <ChainLink key={one} to={[one]} isHere={one === view}>
            {name}
          </ChainLink>
        ))}
      </nav>
      {isFirstList(view, id) ? <EntityList /> : showOther({ view, id, live })}
    </div>
  );
}

/** What shows the views beside the first list; they are loaded once that is there, so that it need not wait for them. */
function useOtherViews(): (props: OtherViewProps) => ReactNode {
  const [Other, setOther] = useState(openedViews);
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    openViews().then(
      (component) => setOther(() => component),
      (cause: unknown) => setFailure(new Error('The views cannot be loaded', { cause })),
    );
  }, []);
  const waiting = <p className="quiet waiting">Loading…</p>;
  return (props) => {
    if (failure !== undefined) throw failure;
    return Other === undefined ? (
      waiting
    ) : (
      <Suspense fallback={waiting}>
        <Other {...props} />
      </Suspense>
    );
  };
}
