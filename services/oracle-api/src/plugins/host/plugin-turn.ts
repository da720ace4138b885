import type { ApprovalRule } from '../../agent/loop/sql-approvals.js';
import { composeInstructions, type Persona } from '../../agent/prompt/instructions.js';
import { openTurnContext, type TurnContextDeps } from '../../agent/prompt/turn-context.js';
import type { PluggedTurn, TurnSetting } from '../../agent/prompt/turn-plugins.js';
import type { TurnRequest } from '../../agent/turn-request.js';
import type { MessageFiles } from '../../files/message-files.js';
import type { AnsweringModel } from '../../models/language-model.js';
import type { ModelCatalog } from '../../models/model-catalog.js';
import type { OraclePlugin, PluginLimits, ReceivedSecret } from '../api/plugin.js';
import { PluginError } from '../api/plugin-error.js';
import type { RuntimeContext } from '../api/runtime-context.js';
import { type PluginWrap, withMiddlewares } from './model-middlewares.js';
import { deepFreeze, pluginContexts } from './plugin-context.js';
import type { Callers } from './plugin-grants.js';
import { graceAfterAbort, type ReportFailure } from './plugin-isolation.js';
import type { ActivePlugin } from './plugin-start.js';
import { kvOf } from './state/plugin-kv.js';
import type { PluginStateStore } from './state/plugin-state-store.js';
import { ToolLimits } from './tools/check-and-call-tool.js';
import { capabilityTools, loadedBefore } from './tools/on-demand-tools.js';
import { prepareTool } from './tools/prepare-tool.js';
import { type ApprovalPolicy, requireApprovalTool } from './tools/tool-approval.js';
import { PluginTurnTool, type PluginTurnToolParts } from './tools/turn-tool.js';
import { messageFiles, otherFiles, requestToolsOf, untrustedToolsLast } from './turn-contributions.js';
import { TurnObjects } from './turn-objects.js';

/** Context of plugins that is the same for all turns of an oracle. */
export interface PluginTurnParts {
  readonly persona: Persona;
  readonly runtime: TurnContextDeps;
  /** The models that plugins may use. */
  readonly models: Pick<ModelCatalog, 'find' | 'default'>;
  /** Stores state of plugins without tables of their own. */
  readonly state: PluginStateStore;
  /** The operator's approval rules for tools with effects. */
  readonly approval: ApprovalPolicy;
  /** The operator's limits for plugins in a turn, by plugin name. */
  readonly limits: ReadonlyMap<string, PluginLimits>;
}

export interface PluginTurnDeps extends PluginTurnParts {
  readonly plugins: readonly ActivePlugin[];
  readonly callers: Callers;
  /** Stores files of tools' results. */
  readonly messageFiles: Pick<MessageFiles, 'add'>;
  readonly report: ReportFailure;
}

/** Opens a turn for the enabled plugins. Rejects only if the user's preferences cannot be read. */
export async function openPluginTurn(parts: PluginTurnDeps, setting: TurnSetting): Promise<PluggedTurn> {
  const { persona, plugins, runtime, state, callers, report } = parts;
  // Preferences apply only with a plugin that lets users set them.
  const withPreferences = plugins.some(({ plugin }) => plugin.manifest.needs?.includes('preferences:write') === true);
  const { facts: gathered, takeNotices, close } = await openTurnContext(runtime, setting, { withPreferences });
  const facts = deepFreeze({ ...gathered, model: withoutStream(gathered.model) });
  const { run, roomId, request } = setting.turn;
  let wraps: readonly PluginWrap[] | undefined;
  const objects = new TurnObjects({
    turn: setting.turn,
    // A tool call from a program has no model of the oracle.
    model: parts.models.find(request.model.id) ?? parts.models.default,
    over: facts.over,
    wraps: () => wraps,
    oracleName: persona.name,
    now: runtime.now,
  });
  callers.add(facts.user, { did: facts.user.did, roomId, turn: { ...run, modelId: facts.model.id }, objects });
  const hooks = { report, aborted: graceAfterAbort(setting.turn.signal) };
  const plainModel = Object.freeze({ ...facts.model, object: notGranted });
  const modelOf = ({ name, manifest: { needs = [] } }: OraclePlugin) =>
    needs.includes('model:object') ? Object.freeze({ ...facts.model, ...objects.of(name) }) : plainModel;
  const seen = await pluginContexts(plugins, facts, hooks, ({ name, plugin }) => ({
    ...secretsFor(plugin, setting.turn.request),
    kv: kvOf(state, name, facts.user.did, runtime.now),
    model: modelOf(plugin),
  }));
  const turnWraps = seen.map(({ active: { name, plugin, middlewares }, context }) => ({
    plugin: name,
    middlewares,
    failClosed: plugin.failClosed === true,
    context,
    report: (where: string, error: unknown) => report(name, where, error),
  }));
  wraps = turnWraps;
  const [requestTools, files] = await Promise.all([requestToolsOf(seen, hooks), messageFiles(seen, hooks)]);
  let rules: Promise<readonly ApprovalRule[]> | undefined;
  const toolParts: PluginTurnToolParts = {
    wraps: turnWraps,
    policy: parts.approval,
    addFile: (file) => {
      const owner = { ownerDid: run.ownerDid, sessionId: run.sessionId, address: setting.turn.request.address };
      return parts.messageFiles.add(owner, file, facts.model);
    },
    rules: () => {
      rules ??= runtime.approvals.listRules(facts.user.did);
      return rules;
    },
    report,
  };
  const { withoutTools = false } = setting.turn.request;
  const offers = (withoutTools ? [] : seen).flatMap(({ active: { name, manifest, plugin, tools }, context }) => {
    const all = [...tools, ...requestTools.filter(({ owner }) => owner === name)];
    const limits = new ToolLimits(manifest.limits ?? {}, parts.limits.get(name) ?? {}, Date.now);
    const offered = all.map((prepared) => new PluginTurnTool(prepared, context, limits, toolParts));
    // A plugin with tools for single turns only, and none in this turn, is not listed for the model.
    const isMissing = plugin.getRequestTools !== undefined && all.length === 0;
    return isMissing ? [] : [{ name, manifest, tools: offered }];
  });
  const earlier = setting.earlier.flatMap(({ toolCalls }) => toolCalls ?? []);
  const loaded = loadedBefore([...earlier, ...setting.turn.draft.toolCalls]);
  const onDemand = offers.filter(({ manifest }) => manifest.visibility === 'on-demand');
  const ownContext = {
    ...facts,
    model: plainModel,
    config: {},
    shared: {},
    kv: kvOf(state, 'capabilities', facts.user.did, runtime.now),
    logger: runtime.logger,
  };
  const approvalTool = requireApprovalTool(offers, async (tools) => {
    const rule = await runtime.approvals.requireApproval(facts.user.did, tools);
    rules = undefined;
    return rule;
  });
  const ownTools = [
    ...capabilityTools(onDemand, loaded),
    ...(withPreferences && !withoutTools ? [approvalTool] : []),
  ].map((tool) => new PluginTurnTool(prepareTool(itself, tool), ownContext, unlimited, toolParts));
  const capabilities = offers.map(({ name, manifest }) => ({ name, ...manifest }));

  return {
    instructions: composeInstructions(persona, capabilities, facts.preferences),
    preferences: facts.preferences,
    files,
    readFiles: (attachments, from) => otherFiles(seen, hooks, attachments, from),
    tools: () => {
      const open = offers.filter(({ name, manifest }) => manifest.visibility === 'always' || loaded.has(name));
      return [...ownTools, ...untrustedToolsLast(open.flatMap(({ tools }) => tools))];
    },
    around: (model) => withMiddlewares(model, turnWraps, takeNotices),
    close: () => {
      callers.drop(facts.user);
      close();
    },
  };
}

async function notGranted(): Promise<never> {
  throw new PluginError("model.object is granted to a plugin with 'model:object' in needs of its manifest");
}

/** Secrets of a message that this plugin receives. */
function secretsFor({ receives = [] }: OraclePlugin, request: TurnRequest): Pick<RuntimeContext, ReceivedSecret> {
  return Object.fromEntries(receives.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])));
}

/** Properties of the model without the model itself: only the turn calls the model, and counts the calls. */
function withoutStream({ id, contextTokens, seesImages, readsPdfs, hearsAudio }: AnsweringModel): AnsweringModel {
  return {
    id,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(seesImages === undefined ? {} : { seesImages }),
    ...(readsPdfs === undefined ? {} : { readsPdfs }),
    ...(hearsAudio === undefined ? {} : { hearsAudio }),
  };
}

const unlimited = new ToolLimits({}, {}, Date.now);

/** Owner of the oracle's own tools. */
const itself = { name: 'capabilities', version: '1.0.0' };
