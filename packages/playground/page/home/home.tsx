import { Suspense } from 'react';
import { doors } from '../shell/doors.js';
import { Title } from '../shell/title.js';
import { ChainGlimpse } from './chain-glimpse.js';
import { ChatGlimpse } from './chat-glimpse.js';
import { Doorway } from './doorway.js';
import { PhoneGlimpse } from './phone-glimpse.js';
import { useOpenDoors } from './use-open-doors.js';
import './home.css';

const glimpses = { phone: <PhoneGlimpse />, chat: <ChatGlimpse />, chain: <ChainGlimpse /> };

export function Home() {
  const open = useOpenDoors();
  return (
    <div className="threshold">
      <div className="welcome">
        <Title>Three doors to one network</Title>
        <p className="lead">
          <em>Mlango</em> is Swahili for door. These three lead to the same people, agents and chain. Everything here is
          live: a dialled phone, an oracle that answers, a chain that grows.
        </p>
      </div>
      <ul className="doorways">
        {doors.map((door) => (
          <Doorway key={door.id} door={door} isOpen={open?.[door.id]}>
            <Suspense fallback={null}>{glimpses[door.id]}</Suspense>
          </Doorway>
        ))}
      </ul>
    </div>
  );
}
