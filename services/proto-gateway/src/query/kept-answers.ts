import type { Reply } from '@mlango/grpc-channel';
import { BoundedEntries } from '../nodes/bounded-entries.js';
import { type CallKey, keyOfCall } from '../nodes/call-key.js';
import type { NodeCall } from '../nodes/chain-node.js';
import { type CacheRules, isImmutable, type ReplyCache } from '../nodes/reply-cache.js';
import { type Answer, isWhole } from './answer.js';
import { conditionalAnswer } from './conditional-answer.js';
import type { MatchedRequest } from './read-call.js';

interface Kept {
  readonly answer: Answer;
  /** What the answer words: it is given again as long as this is kept, and no longer. */
  readonly key: string;
  readonly reply: Reply;
}

export interface KeptAnswers {
  /** The answer to an equal request before, while its reply is kept. */
  find(
    request: Pick<MatchedRequest, 'route' | 'rawPath' | 'rawQuery' | 'body' | 'headers' | 'plan'>,
  ): Answer | undefined;
  /** Says how long an answer lasts, and keeps it for as long. */
  finish(answer: Answer, reply: Reply, request: MatchedRequest, call: NodeCall): Answer;
}

/** The headers of a request that its answer may depend on; those that show credentials to the gateway do not arrive here. */
const HAS_A_SAY = /^(?:grpc-.*|authorization|x-cosmos-block-height|x-min-block-height|if-none-match)$/i;

/** The body, and its encoded forms, which are smaller. */
const FORMS = 3;
const ENTRY_BYTES = 2048;

/**
 * Keeps answers as they were worded, so that a query that is asked again costs neither reading it nor writing its JSON.
 * An answer is never older than the reply it words: `replies` say whether that one still counts.
 *
 * @param isGated not everybody may have the replies: caches on the way must not share them
 * @param onFound told of each answer that is given again
 */
export function keepAnswers(
  replies: Pick<ReplyCache, 'isKept'>,
  rules: CacheRules & { readonly permanentHeaders?: ReadonlySet<string> | undefined },
  isGated: boolean,
  onFound: () => void = () => {},
): KeptAnswers {
  const answers = new BoundedEntries<Kept>(rules.limitBytes);

  function keep(answer: Answer, reply: Reply, request: MatchedRequest, { text: key }: CallKey): void {
    const url = urlThatSaysAll(request, rules.permanentHeaders);
    if (url === undefined || !isWhole(answer.body) || answer.isEncoded === true || !replies.isKept(key, reply)) return;
    const sizeBytes = ENTRY_BYTES + (url.length + key.length) * 2 + answer.body.length * FORMS;
    answers.keep(url, { answer, key, reply }, sizeBytes);
  }

  return {
    find(request) {
      const url = urlThatSaysAll(request, rules.permanentHeaders);
      const kept = url === undefined ? undefined : answers.find(url);
      if (url === undefined || kept === undefined) return undefined;
      if (!replies.isKept(kept.key, kept.reply)) {
        answers.drop(url);
        return undefined;
      }
      onFound();
      return kept.answer;
    },
    finish(answer, reply, request, call) {
      const key = keyOfCall(call);
      if (key.isPersonal) return answer;
      const lifetime = { isImmutable: isImmutable(key.height, reply), ttlMs: rules.ttlMs, isPrivate: isGated };
      const finished = { ...conditionalAnswer(answer, reply, request, lifetime), isKept: true };
      keep(finished, reply, request, key);
      return finished;
    },
  };
}

/** Path and query of a request whose answer depends on nothing else. */
function urlThatSaysAll(
  { route, rawPath, rawQuery, body, headers, plan }: Parameters<KeptAnswers['find']>[0],
  permanent: ReadonlySet<string> | undefined,
): string | undefined {
  if (route.method !== 'GET' || body.length > 0 || plan !== undefined) return undefined;
  for (const [name] of headers) {
    if (HAS_A_SAY.test(name) || permanent?.has(name.toLowerCase()) === true) return undefined;
  }
  return `${rawPath}?${rawQuery}`;
}
