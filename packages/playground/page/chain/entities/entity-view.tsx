import { hrefOf } from '../../shell/use-route.js';
import { useAnswer } from '../asking/use-answer.js';
import { useQueryPath } from '../description/description-context.js';
import { Outcome } from '../parts/outcome.js';
import { RawAnswer } from '../parts/raw-answer.js';
import type { Entity, IidDocument } from './entity.js';
import { EntityCard } from './entity-card.js';

export function EntityView({ id }: { readonly id: string }) {
  const asked = useAnswer(useQueryPath('ixo.entity.v1beta1.Query.Entity', { id }));
  return (
    <section className="stack" aria-label={`Entity ${id}`} aria-busy={asked.isLoading}>
      <p>
        <a href={hrefOf('chain', 'entities')}>← All entities</a>
      </p>
      <Outcome asked={asked}>
        {(body) => {
          const { entity, iidDocument } = body as { entity: Entity; iidDocument: IidDocument | null };
          return <EntityCard entity={entity} document={iidDocument} />;
        }}
      </Outcome>
      <RawAnswer asked={asked} />
    </section>
  );
}
