import { doors } from '../shell/doors.js';
import { hrefOf } from '../shell/route.js';
import { Title } from '../shell/title.js';
import './home.css';

export function Home() {
  return (
    <div className="threshold">
      <div>
        <Title>Three doors to one network</Title>
        <p className="lead">
          <em>Mlango</em> is Swahili for door. People, agents and a chain meet behind these three. Everything on this
          page runs against the real services.
        </p>
      </div>
      <ul className="doorways">
        {doors.map(({ id, name, title, says, invites }) => (
          <li key={id} className={`door-${id}`}>
            <a className="doorway" href={hrefOf(id)}>
              <span className="sign">{name}</span>
              <h2>{title}</h2>
              <p className="quiet">{says}</p>
              <span className="invites">{invites} →</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
