import type { BlockFeed, NewBlock } from './block-feed.js';
import { EventFrame, statusFrame } from './event-frame.js';
import type { TellEach } from './tell-in-turns.js';
import type { Member, Watch } from './watched-query.js';

/** Tells of new blocks. */
export class LiveBlocks {
  readonly #blocks: BlockFeed;
  readonly #print: (block: NewBlock) => string;
  readonly #tellEach: TellEach;
  readonly #members = new Set<Member>();

  /** @param print the JSON of a block */
  constructor(blocks: BlockFeed, print: (block: NewBlock) => string, tellEach: TellEach) {
    this.#blocks = blocks;
    this.#print = print;
    this.#tellEach = tellEach;
    blocks.onBlock.add((block) => void this.#tell(this.#frameOf(block)));
    blocks.onAway.add((isAway) => void this.#tell(statusFrame(isAway ? 'away' : 'live')));
  }

  /** Tells at once the newest block, or those above the one the member has, and then each that follows. */
  join(member: Member): Watch {
    const { newest } = this.#blocks;
    const missed = member.from === undefined ? newest && [newest] : this.#blocks.above(member.from);
    if (this.#blocks.isAway) member.offer(statusFrame('away'));
    for (const block of missed ?? []) member.offer(this.#frameOf(block));
    this.#members.add(member);
    return {
      checkedAt: () => this.#blocks.newest?.height,
      leave: () => void this.#members.delete(member),
    };
  }

  #frameOf(block: NewBlock): EventFrame {
    return new EventFrame('block', block.height, this.#print(block));
  }

  #tell(frame: EventFrame): Promise<void> {
    // Those who come meanwhile have it already.
    return this.#tellEach([...this.#members], (member) => {
      const isKnown = frame.height !== undefined && member.from !== undefined && frame.height <= member.from;
      if (!isKnown && this.#members.has(member)) member.offer(frame);
    });
  }
}
