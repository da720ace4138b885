import { Card } from '@mlango/oracle-client/ui';

interface NoticeCardProps {
  readonly title?: unknown;
  readonly text?: unknown;
}

/** A card that an oracle may show by `render_component`, with words of its own. */
export function NoticeCard({ title, text }: NoticeCardProps) {
  return (
    <Card className="tool-card notice-card" title={typeof title === 'string' ? title : 'Notice'}>
      {typeof text === 'string' ? text : null}
    </Card>
  );
}
