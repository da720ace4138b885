import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Title } from '../shell/title.js';
import { EntityList } from './entity-list.js';
import { FindAnything } from './find/find-anything.js';
import { openedViews, openViews } from './open-views.js';
import type { OtherViewProps } from './other-views.js';
import { AsOfSwitch, ChainLink, useAsOf } from './parts/links.js';
import { HeightStrip, useLiveBlocks } from './parts/live-blocks.js';
import { isFirstList, isKnown, views } from './parts/paths.js';
import './chain.css';

export function ChainPage({ route }: { readonly route: readonly string[] }) {
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

/** Loads the other views after the first list, so that the list need not wait. */
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
