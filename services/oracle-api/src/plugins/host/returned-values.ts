import { isObject } from '@mlango/service-kit/parse-json';
import { z } from 'zod';
import type { OwnRow } from '../../account/account-data.js';
import type { FileIntake } from '../../files/file-intake.js';
import type { ModelFile, ModelPart, ModelRequest } from '../../models/language-model.js';
import type { PaymentDemand, PaymentGate, UsageMeter } from '../../runs/payment.js';
import type { PluginFigure, PluginResource, PluginRoutes, PublicRoute } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import { checkMiddlewares, type PluginMiddlewares } from '../api/plugin-middlewares.js';
import type { PluginTool } from '../api/plugin-tool.js';
import type { ToolAnswer } from '../api/runtime-context.js';

/**
 * Checks of the values that plugins return, since a plugin in JavaScript, or with a cast, may return values of any type. Each check
 * returns the value with its type, or throws a `PluginError` that names the member, the value and the remedy.
 */

const toolsRemedy = 'return an array of tools, as in getTools: () => [defineTool({ … })]';

export function returnedTools(member: 'getTools' | 'getRequestTools', value: unknown): readonly PluginTool[] {
  return listOf<PluginTool>(member, value, toolsRemedy, isObject);
}

export function returnedResources(value: unknown): readonly PluginResource[] {
  const remedy = 'return an array of { uriPrefix, name, description, read, list? }';
  const fits = (one: Fields) =>
    hasTexts(one, 'uriPrefix', 'name', 'description') && hasFunctions(one, ['read'], ['list']);
  return listOf<PluginResource>('getResources', value, remedy, fits);
}

export function returnedFigures(value: unknown): readonly PluginFigure[] {
  const remedy = 'return an array of { name, help, read }';
  const fits = (one: Fields) => hasTexts(one, 'name', 'help') && hasFunctions(one, ['read']);
  return listOf<PluginFigure>('getFigures', value, remedy, fits);
}

export function returnedRoutes(value: unknown): readonly PluginRoutes[] {
  const remedy = "return an array of functions, as in getRoutes: () => [(app) => void app.get('/path', handler)]";
  return listOf<PluginRoutes>('getRoutes', value, remedy, (one) => typeof one === 'function');
}

export function returnedPublicRoutes(value: unknown): readonly PublicRoute[] {
  const remedy = "return an array of paths such as '/items/:id', or of { method, path }";
  const fits = (one: unknown) =>
    typeof one === 'string' ||
    (isObject(one) && hasTexts(one, 'path') && ['string', 'undefined'].includes(typeof one['method']));
  return listOf<PublicRoute>('getAuthExcludedRoutes', value, remedy, fits);
}

export function returnedFiles(value: unknown, member: 'getFiles' | 'readFiles' = 'getFiles'): readonly ModelFile[] {
  const remedy = 'return an array of { kind, filename, … } of kind text, image, pdf, audio, named or unread';
  return listOf<ModelFile>(member, value, remedy, (one) => file.safeParse(one).success);
}

export function returnedMiddlewares(value: unknown): PluginMiddlewares {
  if (value === undefined || value === null) return {};
  const remedy = 'return an object of functions beforeModel, wrapModel, afterModel, wrapTool';
  const middlewares = objectOf<PluginMiddlewares>('getMiddlewares', value, remedy);
  checkMiddlewares(middlewares);
  if (!hasFunctions(middlewares, [], Object.keys(middlewares))) throw returned('getMiddlewares', value, remedy);
  return middlewares;
}

export function returnedGate(value: unknown): PaymentGate | undefined {
  if (value === undefined || value === null) return undefined;
  const remedy = 'return { demandOf, release? }, or nothing for no gate';
  const gate = objectOf<PaymentGate>('getPaymentGate', value, remedy);
  if (!hasFunctions(gate, ['demandOf'], ['release'])) throw returned('getPaymentGate', value, remedy);
  return gate;
}

export function returnedMeter(value: unknown): UsageMeter | undefined {
  if (value === undefined || value === null) return undefined;
  const remedy = 'return { record, charges? }, or nothing for no meter';
  const meter = objectOf<UsageMeter>('getUsageMeter', value, remedy);
  if (!hasFunctions(meter, ['record'])) throw returned('getUsageMeter', value, remedy);
  return meter;
}

export function returnedIntake(value: unknown): FileIntake | undefined {
  if (value === undefined || value === null) return undefined;
  const members = ['recognise', 'mediaTypes', 'refusalOfUrl', 'find', 'store', 'remove', 'hold', 'countBody'];
  const intake = objectOf<FileIntake>('getFileIntake', value, `return an object of ${members.join(', ')}`);
  if (!hasFunctions(intake, members)) throw returned('getFileIntake', value, `return ${members.join(', ')}`);
  return intake;
}

/** Checks the result of `autoDetect`: undefined counts as false. */
export function returnedDetection(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  throw returned('autoDetect', value, 'return true or false, at once');
}

/** Checks the demand of a gate; undefined is no demand. */
export function returnedDemand(value: unknown): PaymentDemand | undefined {
  if (value === undefined || value === null) return undefined;
  if (demand.safeParse(value).success) return value as PaymentDemand;
  throw returned('demandOf', value, 'return { message, claims }, or nothing where nothing has to be paid');
}

/** Checks the result of `beforeModel`; undefined leaves the request unchanged. */
export function returnedRequest(value: unknown): ModelRequest | undefined {
  if (value === undefined || value === null) return undefined;
  if (request.safeParse(value).success) return value as ModelRequest;
  throw returned('beforeModel', value, 'return { ...request, what changes }, or nothing');
}

export function returnedStream(value: unknown): AsyncIterable<ModelPart> {
  if (isIterable(value)) return value as AsyncIterable<ModelPart>;
  throw returned('wrapModel', value, 'return an async iterable: write it as async *wrapModel(request, callModel)');
}

export function yieldedPart(value: unknown): ModelPart {
  if (isObject(value) && isPart(value)) return value as ModelPart;
  throw returned('wrapModel', value, 'yield parts such as { type: "text", delta }', 'yielded');
}

export function returnedAnswer(value: unknown): ToolAnswer {
  if (answer.safeParse(value).success && isJson(value)) return value as ToolAnswer;
  throw returned('wrapTool', value, 'return what run() resolves to, or { ok: false, error }');
}

export function returnedRows(value: unknown): AsyncIterable<OwnRow> {
  if (isIterable(value)) return value as AsyncIterable<OwnRow>;
  throw returned('exportUser', value, 'return an async iterable: write it as async *exportUser(boot, did)');
}

/** Whether JSON can represent the value. Throws if a part of it has no JSON form. */
export function isJson(value: unknown): boolean {
  return JSON.stringify(value) !== undefined;
}

/** Part types that are not listed here pass: the turn's loop checks them. */
function isPart({ type, delta, call, usage }: Fields): boolean {
  if (type === 'text' || type === 'reasoning') return typeof delta === 'string';
  if (type === 'tool_call') return isObject(call) && hasTexts(call, 'name') && isObject(call['args']);
  if (type === 'usage') return isObject(usage);
  return typeof type === 'string';
}

type Fields = Readonly<Record<string, unknown>>;

/** Strict about the fields that are read here; others pass. */
const request = z.looseObject({
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'tool']), content: z.string() })),
  oracleName: z.string(),
  now: z.date(),
});
const file = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), filename: z.string(), text: z.string(), leftChars: z.number() }),
  z.looseObject({
    kind: z.enum(['image', 'pdf', 'audio']),
    filename: z.string(),
    mediaType: z.string(),
    bytes: z.instanceof(Uint8Array),
  }),
  z.looseObject({ kind: z.literal('named'), filename: z.string(), mediaType: z.string() }),
  z.looseObject({ kind: z.literal('unread'), filename: z.string(), reason: z.string() }),
]);
const answer = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(true) }),
  z.looseObject({ ok: z.literal(false), error: z.string() }),
]);
const demand = z.looseObject({ message: z.string(), claims: z.array(z.string()) });

function listOf<T>(member: string, value: unknown, remedy: string, fits: (one: never) => boolean): readonly T[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw returned(member, value, remedy);
  const wrong = value.findIndex((one) => !(fits as (one: unknown) => boolean)(one));
  if (wrong >= 0) throw returned(member, value[wrong], remedy, `returned, at index ${wrong},`);
  return value;
}

function objectOf<T extends object>(member: string, value: unknown, remedy: string): T & Fields {
  if (!isObject(value) || isPromise(value)) throw returned(member, value, remedy);
  return value as T & Fields;
}

function returned(member: string, value: unknown, remedy: string, verb = 'returned'): PluginError {
  const isAsync = isPromise(value);
  // A refused promise may reject later, and its rejection is handled here.
  if (isAsync) Promise.resolve(value).catch(() => undefined);
  const first = isAsync ? 'remove async, and ' : '';
  return new PluginError(`${member} ${verb} ${kindOf(value)}: ${first}${remedy}`);
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (isPromise(value)) return 'a Promise';
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? 'an object without fields' : `an object with ${keys.join(', ')}`;
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function hasTexts(value: Fields, ...names: string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}

function hasFunctions(value: Fields, required: readonly string[], optional: readonly string[] = []): boolean {
  const isFunction = (name: string) => typeof value[name] === 'function';
  return required.every(isFunction) && optional.every((name) => value[name] === undefined || isFunction(name));
}
