import { type Flow, optionsOf } from './flow.js';

/** What would go wrong with the offer to go on after a lost session: one sentence per problem. */
export function checkResume(flow: Flow): string[] {
  const { resumeOffer } = flow;
  const elsewhere = Object.entries(flow.screens)
    .filter(([state, screen]) => state !== resumeOffer && optionsOf(screen).some(resumes))
    .map(([state]) => `${state}: only the offer to resume has a key that resumes`);
  if (resumeOffer === undefined) return elsewhere;
  const offer = flow.screens[resumeOffer];
  if (offer?.kind !== 'menu') return [...elsewhere, `resumeOffer: "${resumeOffer}" is not a menu of this flow`];
  const keys = optionsOf(offer).filter(resumes).length;
  return keys === 1 ? elsewhere : [...elsewhere, `${resumeOffer}: one key resumes, not ${keys}`];
}

function resumes(option: object): boolean {
  return 'resumes' in option;
}
