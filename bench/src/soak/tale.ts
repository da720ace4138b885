import { Luck } from './luck.js';

const words =
  'maji mlango njia habari rafiki soko shamba mvua jua mwezi nyota mto ziwa ndege simba tembo daraja kahawa'.split(' ');

/** The answer of the model to a question: 20 to 90 words, the same whenever it is told, each with its place, so that none can be missed or double. */
export function taleOf(number: number): readonly string[] {
  const luck = new Luck(number);
  return Array.from({ length: luck.between(20, 90) }, (_, at) => `${at === 0 ? '' : ' '}${luck.pick(words)}${at}`);
}

/** What somebody asks who wants to be told it. */
export const questionFor = (number: number): string => `Tell me tale ${number}`;

/** The number in a question; undefined in what is none, as when a title is asked for. */
export function numberIn(question: string): number | undefined {
  const found = /^Tell me tale (\d+)$/.exec(question)?.[1];
  return found === undefined ? undefined : Number(found);
}
