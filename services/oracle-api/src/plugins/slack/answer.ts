import type { PluginReply } from '../../agent/converse.js';

/** What is said in the thread; undefined for nothing. */
export function answerTo(heard: PluginReply): string | undefined {
  switch (heard.kind) {
    case 'answered': {
      const { status, content, failure } = heard.outcome;
      if (status === 'failed') return `I could not answer: ${failure?.detail ?? 'something went wrong'}`;
      return content === '' ? undefined : content;
    }
    case 'payment_required':
      return `${heard.demand.message}. Claims to pay: ${heard.demand.claims.join(', ')}`;
    case 'limited':
      return heard.message;
    case 'queue_full':
      return 'Too many messages of yours wait for an answer. Please ask again once some of them have been answered.';
    case 'busy':
      return 'I have too much to do just now. Please ask again in a minute.';
    case 'no_session':
      return 'I could not find this conversation. Please start a new thread.';
    case 'request_id_used':
      return undefined;
  }
}
