import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { FailureBoundary } from '../shell/failure-boundary.js';
import { services } from '../shell/services.js';
import { Title } from '../shell/title.js';
import { ChainGlimpse, ChatGlimpse, PhoneGlimpse } from './previews.js';
import './home.css';
import { hrefOf } from '../shell/route.js';

/** Whether each service answers. */
export type ServiceStates = Readonly<Record<'phone' | 'chat' | 'chain', boolean>>;

/** An unavailable service may be starting. */
const AGAIN_MS = 5_000;

/** Polls the services while one is unavailable; undefined until the first result. */
export function useServiceStates(): ServiceStates | undefined {
  const [states, setStates] = useState<ServiceStates>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function look(): Promise<void> {
      const response = await fetch('/doors.json', { signal: controller.signal });
      const found = response.ok ? ((await response.json()) as ServiceStates) : undefined;
      if (found !== undefined) setStates(found);
      if (found !== undefined && Object.values(found).every(Boolean)) return;
      timer = setTimeout(() => setRound((count) => count + 1), AGAIN_MS);
    }
    look().catch(() => {
      if (!controller.signal.aborted) timer = setTimeout(() => setRound((count) => count + 1), AGAIN_MS);
    });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [round]);
  return states;
}

interface ServiceCardProps {
  readonly service: (typeof services)[number];
  /** Undefined until that is known. */
  readonly isOpen: boolean | undefined;
  /** The live preview. */
  readonly children: ReactNode;
}

/** One service: its description and a live preview. */
export function ServiceCard({
  service: { id, name, title, description, invites, start },
  isOpen,
  children,
}: ServiceCardProps) {
  return (
    <li className={`service-card accent-${id}`}>
      <p className="sign">{name}</p>
      <h2>{title}</h2>
      <p className="quiet description">{description}</p>
      <div className="glimpse">
        {isOpen === true ? children : null}
        {isOpen === false ? (
          <div className="shut" role="status">
            <p>
              <strong>Not available:</strong> the service does not answer.
            </p>
            <p className="small quiet">
              Start all services with <code>npm start</code>, or this one with <code className="break">{start}</code>.
              The page tries again every few seconds.
            </p>
          </div>
        ) : null}
      </div>
      <a className="button invites" href={hrefOf(id)}>
        {invites} <span aria-hidden="true">→</span>
      </a>
    </li>
  );
}

const glimpses = { phone: <PhoneGlimpse />, chat: <ChatGlimpse />, chain: <ChainGlimpse /> };

export function Home() {
  const open = useServiceStates();
  return (
    <div className="home">
      <div className="welcome">
        <Title>Three doors to one network</Title>
        <p className="lead">
          <em>Mlango</em> is Swahili for door. These three lead to the same people, agents and chain. Everything here is
          live: a dialled phone, an oracle that answers, a chain that grows.
        </p>
      </div>
      <ul className="service-cards">
        {services.map((service) => (
          <ServiceCard key={service.id} service={service} isOpen={open?.[service.id]}>
            <FailureBoundary>
              <Suspense fallback={null}>{glimpses[service.id]}</Suspense>
            </FailureBoundary>
          </ServiceCard>
        ))}
      </ul>
    </div>
  );
}
