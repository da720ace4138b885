import { lazy, type ReactNode, Suspense } from 'react';
import { Home } from './home/home.js';
import { doors } from './shell/doors.js';
import { FailureBoundary } from './shell/failure-boundary.js';
import { Header } from './shell/header.js';
import { useRoute } from './shell/use-route.js';
import './shell/shell.css';

const PhoneDoor = lazy(() =>
  import('./phone/phone-door.js').then(({ PhoneDoor: component }) => ({ default: component })),
);
const LinkView = lazy(() => import('./link/link-view.js').then(({ LinkView: component }) => ({ default: component })));
const ChatDoor = lazy(() => import('./chat/chat-door.js').then(({ ChatDoor: component }) => ({ default: component })));
const ChainDoor = lazy(() =>
  import('./chain/chain-door.js').then(({ ChainDoor: component }) => ({ default: component })),
);

export function App() {
  const [first, ...rest] = useRoute();
  const here = doors.find(({ id }) => id === first)?.id;
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <Header here={here} />
      <main id="main" tabIndex={-1} className={`main door-${here ?? 'none'}`}>
        <FailureBoundary key={here}>
          <Suspense fallback={<p className="quiet">Opening…</p>}>{viewOf(here, rest)}</Suspense>
        </FailureBoundary>
      </main>
      <footer className="footer">
        A playground: its phone numbers are made up, its key stays in this browser, and the chain of a fresh
        installation is a mock.
      </footer>
    </>
  );
}

function viewOf(here: string | undefined, rest: readonly string[]): ReactNode {
  if (here === 'phone' && rest[0] === 'link') return <LinkView sessionId={rest[1]} />;
  if (here === 'phone') return <PhoneDoor />;
  if (here === 'chat') return <ChatDoor route={rest} />;
  if (here === 'chain') return <ChainDoor route={rest} />;
  return <Home />;
}
