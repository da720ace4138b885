import { hrefOf } from '../shell/route.js';
import { Title } from '../shell/title.js';
import { useRoute } from '../shell/use-route.js';
import { nearest } from './nearest.js';
import './not-found.css';

/** The pages with their addresses, and the words that match them. */
export const places = [
  { path: ['phone'], name: 'Phone', hint: 'a handset to dial with' },
  { path: ['phone', 'link'], name: 'Link a phone', hint: 'read the conversation of a phone' },
  { path: ['chat'], name: 'Chat', hint: 'messages to the oracle' },
  { path: ['chain'], name: 'Chain', hint: 'entities, claims, tokens, blocks' },
  { path: ['chain', 'entities'], name: 'Entities', hint: 'oracles, projects, people' },
  { path: ['chain', 'claims'], name: 'Claims', hint: 'and what was found of them' },
  { path: ['chain', 'tokens'], name: 'Tokens', hint: 'by their minter' },
  { path: ['chain', 'blocks'], name: 'Blocks', hint: 'as they come' },
  { path: ['chain', 'queries'], name: 'All queries', hint: 'a form for each query' },
  { path: ['account', 'you'], name: 'You', hint: 'your DID, key and data' },
  { path: ['account', 'memory'], name: 'Memory', hint: 'what the oracle remembers about you' },
  { path: ['account', 'preferences'], name: 'Preferences', hint: 'how it talks to you' },
  { path: ['account', 'keys'], name: 'API keys', hint: 'for your scripts' },
  { path: ['account', 'credits'], name: 'Credits', hint: 'what answers cost' },
] as const;

/** An id, which has no closest word. */
const looksLikeId = /^did:|^\d+$|^(ixo|bafk|bafy|Qm)\w{8,}|^(0x)?[0-9A-Fa-f]{32,64}$/;

/** The page for an unknown address: the address, the closest match, and all pages. */
export function NotFound() {
  const route = useRoute();
  const { pathname } = window.location;
  const parts = route.length > 0 ? route : pathname.split('/').filter((part) => part !== '');
  const address = route.length > 0 ? hrefOf(...route) : pathname;
  const meant = meantBy(parts);
  const id = parts.findLast((part) => looksLikeId.test(part));
  return (
    <div className="stack not-found">
      <Title>Page not found</Title>
      <p>
        Nothing is at <code className="break">{address}</code>.
      </p>
      {meant === undefined && id === undefined ? null : (
        <ul className="not-found-guesses">
          {meant === undefined ? null : (
            <li>
              Did you mean <a href={`/${hrefOf(...meant.path)}`}>{meant.name}</a>?
            </li>
          )}
          {id === undefined ? null : (
            <li>
              <span className="break">{id}</span> looks like an id:{' '}
              <a href={`/${hrefOf('chain', 'find', id)}`}>find it on the chain</a>
            </li>
          )}
        </ul>
      )}
      <p>What is here:</p>
      <ul className="not-found-places">
        <li>
          <a href="/#/">Home</a> <span className="quiet">all services</span>
        </li>
        {places.map(({ path, name, hint }) => (
          <li key={name}>
            <a href={`/${hrefOf(...path)}`}>{name}</a> <span className="quiet">{hint}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Place = (typeof places)[number];

function meantBy(parts: readonly string[]): Place | undefined {
  for (const part of parts.toReversed()) {
    const word = nearest(part, [...new Set(places.flatMap(({ path, name }) => [...path, name]))]);
    const place =
      places.find(({ path, name }) => word === name || word === path.at(-1)) ??
      places.find(({ path }) => word === path[0]);
    if (place !== undefined) return place;
  }
  return undefined;
}
