/**
 * Waits for the chat's own field, and then puts there what stands in the early one: text, selection and focus, before anything is painted. A
 * draft that the chat had kept stays, before it. A letter that an input method is composing is waited for.
 * @param end takes the early field away; answers whether its text was sent
 */
export function handOver(early: HTMLTextAreaElement, end: () => boolean): void {
  let isComposing = false;
  const look = (): void => {
    const field = document.querySelector<HTMLTextAreaElement>('#main.door-chat .mlango-composer textarea');
    if (field === null || isComposing) return;
    observer.disconnect();
    void fill(field, early, end);
  };
  early.addEventListener('compositionstart', () => {
    isComposing = true;
  });
  early.addEventListener('compositionend', () => {
    isComposing = false;
    // The letter is put in after this event.
    setTimeout(look);
  });
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
}

async function fill(field: HTMLTextAreaElement, early: HTMLTextAreaElement, end: () => boolean): Promise<void> {
  const { value: text, selectionStart, selectionEnd, selectionDirection } = early;
  const hadFocus = document.activeElement === early;
  const isSent = end() && text.trim() !== '';
  const draft = field.value;
  if (isSent) {
    type(field, text);
    // React has shown what was typed when this goes on, and the form sends that.
    await Promise.resolve();
    field.form?.requestSubmit();
    await Promise.resolve();
    if (draft !== '') type(field, draft);
  } else if (text !== '') {
    const before = draft === '' ? '' : `${draft}\n`;
    type(field, before + text);
    field.setSelectionRange(before.length + selectionStart, before.length + selectionEnd, selectionDirection);
  }
  if (hadFocus) field.focus({ preventScroll: true });
}

/** As if a person had typed it in the place of all that is there. */
function type(field: HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, 0, field.value.length, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
