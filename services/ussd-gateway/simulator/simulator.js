import { aggregators } from './aggregators.js';
import { sizeOf } from './message-size.js';

const element = (id) => document.getElementById(id);
const view = Object.fromEntries(
  [
    ...['network', 'state', 'message', 'size', 'entry', 'input', 'input-label', 'send', 'hang-up', 'erase'],
    ...['aggregator', 'phone', 'language', 'language-note', 'duplicate', 'timeout', 'trouble', 'request', 'reply'],
  ].map((id) => [id, element(id)]),
);

/** The session that is open on the handset, if there is one. */
let session;
/** The last request and the aggregator it was for. */
let last;
let busy = false;
let defaultCode = '*384#';

const settings = await (await fetch('/simulator/settings')).json();
defaultCode = settings.serviceCode;
for (const { id, name } of settings.aggregators) view.aggregator.append(new Option(name, id));
for (const code of settings.languages) view.language.append(new Option(nameOf(code), code));
view.phone.value = settings.phoneNumber;
view.network.textContent = settings.appName;
rest(`Dial ${defaultCode} to begin.`);

view.entry.addEventListener('submit', (event) => {
  event.preventDefault();
  void press(view.input.value.trim());
});
view['hang-up'].addEventListener('click', () => void hangUp());
view.duplicate.addEventListener('click', () => void deliverAgain());
view.timeout.addEventListener('click', () => void timeOut());
view.erase.addEventListener('click', () => {
  view.input.value = view.input.value.slice(0, -1);
});
for (const key of document.querySelectorAll('[data-key]')) {
  key.addEventListener('click', () => {
    view.input.value += key.dataset.key;
  });
}

async function press(typed) {
  if (busy) return;
  if (session === undefined) {
    await chooseLanguage();
    const id = `sim-${crypto.randomUUID()}`;
    session = { id, number: view.phone.value.trim(), code: typed, inputs: [], input: '', hops: 1 };
  } else {
    session = { ...session, inputs: [...session.inputs, typed], input: typed, hops: session.hops + 1 };
  }
  const id = view.aggregator.value;
  last = { aggregator: id, request: aggregators[id].hop(session) };
  await show(await send(last.request), id);
}

/** Stores the chosen language for the phone, once. */
async function chooseLanguage() {
  const language = view.language.value;
  if (language === '') return;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ phoneNumber: view.phone.value.trim(), language }, null, 2);
  const reply = await send({ method: 'POST', path: '/simulator/language', headers, body });
  const stored = reply?.status === 200;
  if (stored) view.language.value = '';
  view['language-note'].textContent = stored
    ? `This phone now has ${nameOf(language)} stored.`
    : 'The language could not be stored: the dial goes on without it.';
}

/** A language by its own name. */
function nameOf(code) {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

async function send(request) {
  setBusy(true);
  view.request.textContent = printRequest(request);
  const startedMs = performance.now();
  try {
    const { method, path, headers, body } = request;
    const response = await fetch(path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const reply = { status: response.status, headers: response.headers, text };
    reply.ms = Math.max(1, Math.round(performance.now() - startedMs));
    view.reply.textContent = printReply(reply);
    return reply;
  } catch {
    view.reply.textContent = 'No reply: the gateway cannot be reached.';
    return undefined;
  } finally {
    setBusy(false);
  }
}

async function show(reply, id) {
  const screen = reply === undefined ? undefined : read(reply, id);
  if (screen === undefined) {
    session = undefined;
    rest('Connection problem or invalid MMI code.');
    return;
  }
  view.message.textContent = screen.message;
  const { unit, used, left } = sizeOf(screen.message);
  view.size.textContent = `${used} ${unit} used, ${left} left`;
  if (screen.closes) session = undefined;
  turn();
}

/** The screen in a reply; undefined when there is none in it, which a network shows as an error of its own. */
function read(reply, id) {
  try {
    const { message, closes } = aggregators[id].read(reply);
    return typeof message === 'string' ? { message, closes } : undefined;
  } catch {
    return undefined;
  }
}

async function hangUp() {
  if (session === undefined || busy) return;
  const told = aggregators[view.aggregator.value].hangUp?.(session);
  session = undefined;
  if (told !== undefined) await send(told);
  rest(told === undefined ? 'You hung up. This aggregator tells the gateway nothing.' : 'You hung up.');
}

async function deliverAgain() {
  if (last === undefined || busy) return;
  const shown = view.message.textContent;
  const replies = await Promise.all([send(last.request), send(last.request)]);
  const same = replies.every((reply) => reply !== undefined && read(reply, last.aggregator)?.message === shown);
  view.trouble.textContent = same
    ? 'Both extra deliveries got the reply that is on the screen. Nothing was done twice.'
    : 'An extra delivery got another reply than the one on the screen.';
}

async function timeOut() {
  if (session === undefined || busy) return;
  const { id: sessionId, number: phoneNumber } = session;
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', path: '/simulator/expire', headers };
  const reply = await send({
    ...request,
    body: JSON.stringify({ aggregator: last.aggregator, sessionId, phoneNumber }, null, 2),
  });
  view.trouble.textContent =
    reply?.status === 200
      ? 'The session has run out. The next key comes too late; who dials again may be offered to go on.'
      : 'The session could not be ended.';
}

/** The handset without a session. */
function rest(message) {
  view.message.textContent = message;
  view.size.textContent = '';
  turn();
}

/** Makes the controls fit what can be done now. */
function turn() {
  const open = session !== undefined;
  view.state.textContent = open ? 'In session' : 'Idle';
  view['input-label'].textContent = open ? 'Reply' : 'Number to dial';
  view.send.textContent = open ? 'Send' : 'Dial';
  view.input.value = open ? '' : defaultCode;
  view['hang-up'].disabled = !open;
  view.timeout.disabled = !open;
  view.duplicate.disabled = last === undefined;
  view.aggregator.disabled = open;
  view.phone.disabled = open;
  view.language.disabled = open;
  view.input.focus();
}

function setBusy(value) {
  busy = value;
  view.send.disabled = value;
}

function printRequest({ method, path, headers, body }) {
  const type = headers['content-type'];
  return [`${method} ${path}`, ...(type === undefined ? [] : [type]), ...(body === undefined ? [] : ['', body])].join(
    '\n',
  );
}

function printReply({ status, headers, text, ms }) {
  const freeflow = headers.get('freeflow');
  const lines = [`${status} in ${ms} ms`, headers.get('content-type') ?? ''];
  return [...lines, ...(freeflow === null ? [] : [`freeflow: ${freeflow}`]), '', text].join('\n');
}
