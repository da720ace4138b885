import { type FormEvent, useId, useState } from 'react';
import { useQuery, useRoute } from '../../shell/use-route.js';
import { chainHref, useAsOf } from './chain-href.js';

/** Chooses the block that everything is looked at as of. It stands in the address. */
export function AsOfSwitch() {
  const at = useAsOf();
  const [, ...parts] = useRoute();
  const look = Object.fromEntries(useQuery());
  const [height, setHeight] = useState(at ?? '');
  const id = useId();
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    window.location.hash = chainHref(parts, { ...look, page: undefined, at: height.replaceAll(/\D/g, '') });
  }
  return (
    <form className="as-of field" onSubmit={onSubmit}>
      <label htmlFor={id}>As of block</label>
      <div className="joined">
        <input
          id={id}
          inputMode="numeric"
          value={height}
          placeholder="latest"
          autoComplete="off"
          onChange={({ target }) => setHeight(target.value)}
        />
        <button type="submit">Go</button>
      </div>
      {at === undefined ? null : (
        <a className="small" href={chainHref(parts, { ...look, at: undefined })} onClick={() => setHeight('')}>
          Back to the latest block
        </a>
      )}
    </form>
  );
}
