import { Suspense } from 'react';
import { FailureBoundary } from './shell/failure-boundary.js';
import { Header } from './shell/header.js';
import { PageView } from './shell/page-view.js';
import { services } from './shell/services.js';
import { useRoute } from './shell/use-route.js';

const places = [...services.map(({ id }) => id), 'account'] as const;

export function App() {
  const route = useRoute();
  const here = places.find((id) => id === route[0]);
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Header here={here} />
      <main id="main" tabIndex={-1} className={`main accent-${here ?? 'none'}`}>
        <FailureBoundary key={here}>
          <Suspense fallback={<p className="quiet">Loading…</p>}>
            <PageView route={route} />
          </Suspense>
        </FailureBoundary>
      </main>
      <footer className="footer">
        A playground: its phone numbers are made up, its key stays in this browser, and the chain of a fresh
        installation is a mock.
      </footer>
    </>
  );
}
