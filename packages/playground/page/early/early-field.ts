import { roomOf } from '../shell/room-of.js';
import { partsOf } from '../shell/route.js';
import { handOver } from './hand-over.js';
import { keepText, readText } from './kept-text.js';

/**
 * A field to write to the oracle in, of the page itself, while the chat is on its way: what is typed is kept, and what is sent goes out as soon as
 * the chat is there, which takes it over with the caret and the focus. Typing on after sending takes the message back.
 */
export function offerField(): void {
  const template = document.getElementById('early-field');
  if (!(template instanceof HTMLTemplateElement) || !isChat() || !window.isSecureContext) return;
  document.body.append(template.content.cloneNode(true));
  const form = document.querySelector<HTMLFormElement>('form.early');
  const field = form?.querySelector('textarea');
  const send = form?.querySelector('button');
  const status = form?.querySelector('[role=status]');
  if (!form || !field || !send || !status) return;

  const { hash } = location;
  let isSent = false;
  const say = (sent: boolean): void => {
    isSent = sent;
    status.textContent = sent ? 'Sends once the chat has loaded.' : 'Loading…';
    send.disabled = sent || field.value.trim() === '';
    keepText(hash, field.value);
  };
  field.value = readText(hash);
  say(false);

  field.addEventListener('input', () => say(false));
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!send.disabled) say(true);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    say(true);
  });
  // Another room is looked at meanwhile.
  window.addEventListener('hashchange', () => {
    if (!isChat()) form.remove();
    else if (!isOver) document.body.append(form);
  });
  let isOver = false;
  handOver(field, () => {
    isOver = true;
    keepText(hash, '');
    form.remove();
    return isSent && location.hash === hash;
  });
}

function isChat(): boolean {
  return roomOf(partsOf(location.hash)) === 'chat';
}
