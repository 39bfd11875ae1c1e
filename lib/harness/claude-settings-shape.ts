/**
 * What a settings file of Claude Code must be, or the client reads nothing of it: one value of a wrong type drops the
 * file with all its hooks. Measured with 2.1.332, key by key; tests/client/settings.test.ts holds the client to it.
 */

/** Why the client does not read a settings file. */
export interface Unreadable {
  /** The keys to the value, as in `permissions.allow`; empty where the whole file is meant. */
  readonly path: string;
  /** What is wrong with it, as a phrase: `is not a list`. */
  readonly problem: string;
}

type Check = (value: unknown, path: string) => Unreadable | undefined;
type Fields = Readonly<Record<string, unknown>>;
type Checks = Readonly<Record<string, Check>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function is(fits: (value: unknown) => boolean, type: string): Check {
  return (value, path) => fits(value) ? undefined : { path, problem: `is not ${type}` };
}

/** The first that is wrong. */
function first(checks: Iterable<() => Unreadable | undefined>): Unreadable | undefined {
  for (const check of checks) {
    const found = check();
    if (found) return found;
  }
  return undefined;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

const text = is((value) => typeof value === "string", "a string");
const flag = is((value) => typeof value === "boolean", "true or false");
const number = is((value) => typeof value === "number", "a number");
const array = is(Array.isArray, "a list");
const object = is(isObject, "an object");

function between(least: number, most: number): Check {
  return is(
    (value) => typeof value === "number" && value >= least && value <= most,
    `a number from ${least} to ${most}`,
  );
}

function whole(least: number): Check {
  return is(
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
    `a whole number, ${least} or more`,
  );
}

function words(...allowed: readonly string[]): Check {
  const list = allowed.map((word) => JSON.stringify(word)).join(", ");
  return is(
    (value) => typeof value === "string" && allowed.includes(value),
    allowed.length === 1 ? list : `one of ${list}`,
  );
}

function list(item: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? first(value.map((one: unknown, at) => () => item(one, join(path, String(at)))))
      : { path, problem: "is not a list" };
}

function map(item: Check): Check {
  return (value, path) =>
    isObject(value)
      ? first(Object.entries(value).map(([key, one]) => () => item(one, join(path, key))))
      : { path, problem: "is not an object" };
}

/** An object with the keys that it must have, and those that it may have; others pass. */
function fields(required: Checks, optional: Checks = {}): Check {
  return (value, path) => {
    if (!isObject(value)) return { path, problem: "is not an object" };
    const missing = Object.keys(required).find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) return { path: join(path, missing), problem: "is missing" };
    return first(
      Object.entries({ ...required, ...optional }).map(([key, check]) => () =>
        Object.hasOwn(value, key) ? check(value[key], join(path, key)) : undefined
      ),
    );
  };
}

/** One of two kinds of values; `type` names both. */
function either(one: Check, other: Check, type: string): Check {
  return (value, path) => {
    const found = one(value, path);
    if (!found) return undefined;
    const second = other(value, path);
    if (!second) return undefined;
    // Deeper down it says more than that neither fits.
    return [found, second].find((problem) => problem.path !== path) ?? { path, problem: `is not ${type}` };
  };
}

function orNull(check: Check): Check {
  return (value, path) => value === null ? undefined : check(value, path);
}

const texts = list(text);
const filled = is((value) => typeof value === "string" && value !== "", "a string with something in it");
const textOrTexts = (one: Check) => either(one, texts, "a string or a list of strings");
const positive = is((value) => typeof value === "number" && value > 0, "a number above 0");

const HANDLER_OPTIONS: Checks = { timeout: positive, if: text, once: flag, statusMessage: text };

/** By `type`. */
const HANDLERS: Readonly<Record<string, Check>> = {
  command: fields({ command: text }, {
    ...HANDLER_OPTIONS,
    args: texts,
    async: flag,
    asyncRewake: flag,
    onFailure: words("block", "continue"),
    rewakeMessage: text,
    rewakeSummary: text,
    shell: words("bash", "powershell"),
  }),
  prompt: fields({ prompt: text }, { ...HANDLER_OPTIONS, model: text }),
  agent: fields({ prompt: text }, { ...HANDLER_OPTIONS, model: text }),
  http: fields({
    url: is((value) => typeof value === "string" && URL.canParse(value), "an address"),
  }, { ...HANDLER_OPTIONS, headers: map(text) }),
  mcp_tool: fields({ server: text, tool: text }, { ...HANDLER_OPTIONS, input: object }),
};

const handler: Check = (value, path) => {
  if (!isObject(value)) return { path, problem: "is not an object" };
  const check = typeof value.type === "string" && Object.hasOwn(HANDLERS, value.type)
    ? HANDLERS[value.type]
    : undefined;
  return check ? check(value, path) : words(...Object.keys(HANDLERS))(value.type, join(path, "type"));
};

const groups = list(fields({ hooks: list(handler) }, { matcher: text }));

/**
 * Of the events before a tool one wrong entry drops the file, whoever it belongs to; at all others the client passes
 * over what is wrong.
 */
const hooks = fields({}, { PreToolUse: groups, PermissionRequest: groups });

const permissions = fields({}, {
  allow: array,
  deny: array,
  ask: array,
  defaultMode: words("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"),
  additionalDirectories: texts,
  disableBypassPermissionsMode: words("disable"),
  disableAutoMode: words("disable"),
  blockReadsOutsideWorkingDirectories: flag,
  blockWritesOutsideWorkingDirectories: flag,
  denyInsteadOfPrompting: flag,
});

const sandbox = fields({}, {
  enabled: flag,
  failIfUnavailable: flag,
  autoAllowBashIfSandboxed: flag,
  allowUnsandboxedCommands: flag,
  enableWeakerNestedSandbox: flag,
  allowNestedUserNamespaces: flag,
  enableWeakerNetworkIsolation: flag,
  allowAppleEvents: flag,
  excludedCommands: texts,
  ignoreViolations: map(texts),
  ripgrep: fields({ command: text }, { args: texts }),
  network: fields({}, {
    allowedDomains: texts,
    deniedDomains: texts,
    allowUnixSockets: texts,
    allowMachLookup: texts,
    strictAllowlist: flag,
    allowManagedDomainsOnly: flag,
    allowAllUnixSockets: flag,
    allowLocalBinding: flag,
    httpProxyPort: number,
    socksProxyPort: number,
    tlsTerminate: object,
  }),
  filesystem: fields({}, {
    allowWrite: texts,
    denyWrite: texts,
    denyRead: texts,
    allowRead: texts,
    allowManagedReadPathsOnly: flag,
    disabled: flag,
  }),
  credentials: object,
});

const commandLine: Checks = { type: words("command"), command: text };

const attribution = either(
  flag,
  fields({}, { commit: text, pr: text, sessionUrl: flag }),
  "true, false or an object",
);

/** The keys that share a check, by words. */
function all(keys: string, check: Check): Checks {
  return Object.fromEntries(keys.split(" ").map((key) => [key, check]));
}

const KEYS: Checks = {
  ...all(
    "$schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh " +
      "awsCredentialExport claudeMd downloadsMirrorUrl gcpAuthRefresh language minimumVersion model " +
      "otelHeadersHelper outputStyle plansDirectory pluginTrustMessage processWrapper proxyAuthHelper " +
      "prUrlTemplate requiredMaximumVersion requiredMinimumVersion timeFormat timeZone",
    text,
  ),
  ...all(
    "agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp " +
      "allowNestedModelAccessUnderForceLogin alwaysThinkingEnabled autoCompactEnabled autoDreamEnabled " +
      "autoMemoryEnabled autoScrollEnabled bashEditDiffEnabled disableAllHooks disableReplyCheck " +
      "emojiCompletionEnabled fastMode forceRemoteSettingsRefresh idleCompaction includeCoAuthoredBy " +
      "includeGitInstructions inputNeededNotifEnabled precomputeCompactionEnabled prefersReducedMotion " +
      "promptSuggestionEnabled respectGitignore respondToBashCommands showClearContextOnPlanAccept " +
      "showMessageTimestamps showThinkingSummaries showTurnDuration spinnerTipsEnabled switchModelsOnFlag " +
      "syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename todoFeatureEnabled verbose " +
      "voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled wslInheritsWindowsSettings",
    flag,
  ),
  ...all(
    "allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly " +
      "autoContinueAtUsageLimit autoUploadSessions channelsEnabled disableAgentView disableArtifact " +
      "disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources disableRemoteControl " +
      "disableSideloadFlags disableSkillShellExecution disableWindowsBashCommandSplit disableWorkflows " +
      "enableAllProjectMcpServers enableArtifact enableWorkflows enforceAvailableModels " +
      "fastModePerSessionOptIn fileCheckpointingEnabled isolatePeerMachines remoteControlAtStartup " +
      "skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight syncClaudeAiPlugins " +
      "syncClaudeAiSkills useAutoModeDuringPlan",
    orNull(flag),
  ),
  ...all(
    "allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements fallbackModel " +
      "httpHookAllowedEnvVars pluginSuggestionMarketplaces",
    texts,
  ),
  ...all("disabledMcpjsonServers enabledMcpjsonServers", textOrTexts(filled)),
  forceLoginOrgUUID: textOrTexts(text),
  ...all("disableAutoMode disableDeepLinkRegistration", orNull(words("disable"))),
  ...all("managedSourcesBehavior parentSettingsBehavior", words("first-wins", "merge")),
  ...all("blockedMarketplaces strictKnownMarketplaces", orNull(list(object))),
  allowedChannelPlugins: list(fields({ marketplace: text, plugin: text })),
  attribution,
  autoMode: fields({}, {
    allow: texts,
    soft_deny: texts,
    hard_deny: texts,
    environment: texts,
    classifyAllShell: flag,
  }),
  autoUpdatesChannel: words("latest", "stable", "rc"),
  cleanupPeriodDays: whole(1),
  daemonColdStart: words("transient", "ask"),
  defaultShell: words("bash", "powershell"),
  defaultView: words("chat", "transcript"),
  desktopSessionCleanupPeriodDays: whole(0),
  enabledPlugins: map(either(flag, texts, "true, false or a list of strings")),
  env: object,
  feedbackDrafts: orNull(words("notify", "quiet", "off")),
  feedbackSurveyRate: between(0, 1),
  fileSuggestion: fields(commandLine),
  hooks,
  modelOverrides: map(text),
  permissions,
  pluginConfigs: map(object),
  remote: fields({}, { defaultEnvironmentId: text }),
  sandbox,
  skillListingBudgetFraction: is(
    (value) => typeof value === "number" && value > 0 && value <= 1,
    "a number above 0, 1 at most",
  ),
  skillListingMaxDescChars: whole(1),
  skillOverrides: map(words("on", "name-only", "user-invocable-only", "off")),
  spinnerVerbs: fields({ mode: words("append", "replace"), verbs: texts }),
  sshConfigs: list(fields({ id: text, name: text, sshHost: text }, {
    sshPort: is(Number.isSafeInteger, "a whole number"),
    sshIdentityFile: text,
    startDirectory: text,
  })),
  statusLine: fields(commandLine, { padding: number, hideVimModeIndicator: flag }),
  tui: words("default", "fullscreen"),
  voice: fields({}, { enabled: flag, autoSubmit: flag, mode: words("hold", "tap") }),
  workflowSizeGuideline: words("unrestricted", "small", "medium", "large"),
  worktree: fields({}, { symlinkDirectories: texts, sparsePaths: texts, baseRef: words("fresh", "head") }),
};

/** The keys of which the client takes or passes over any value. */
const LENIENT: ReadonlySet<string> = new Set(
  ("additionalMarketplaces allowedMarketplaces allowedMcpServers allowedProviders appendPlugins " +
    "askUserQuestionTimeout attributionProjectPolicy autoCompactWindow availableModelsMatch " +
    "bashOutputMaxChars crossSessionInbound deniedMcpServers deniedModels desktopMcpServersListScope " +
    "dialogExpiry editorMode effortLevel extraKnownMarketplaces footerLinksRegexes forceLoginGatewayUrl " +
    "forceLoginMethod gatewayInternalNetworks keybindingFlavor managedMcpServers maxEffortLevel maxProseWidth " +
    "modelPicker modelPricing modelSettings policyHelper preferredNotifChannel prependPlugins promptCacheTtl " +
    "spellcheck spinnerTipsOverride sshHostCommands strictPluginOnlyCustomization subagentPromptCacheTtl " +
    "subagentStatusLine taskOutputMaxChars teammateMode theme ultracode viewMode vimInsertModeRemaps").split(
      " ",
    ),
);

/** The keys whose values are checked no deeper than their first level. */
const SHALLOW: readonly (readonly string[])[] = [
  ["blockedMarketplaces"],
  ["strictKnownMarketplaces"],
  ["pluginConfigs"],
  ["sandbox", "credentials"],
  ["sandbox", "network", "tlsTerminate"],
];

function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
    settings,
  );
}

/** Why the client reads nothing of these settings, or no hooks: the first reason; undefined where it reads them. */
export function unreadable(settings: unknown): Unreadable | undefined {
  return fields({}, KEYS)(settings, "");
}

/** The keys of settings of which `unreadable` cannot tell whether the client takes their values. */
export function unchecked(settings: unknown): readonly string[] {
  if (!isObject(settings)) return [];
  const unknown = Object.keys(settings).filter((key) => !Object.hasOwn(KEYS, key) && !LENIENT.has(key));
  const shallow = SHALLOW.filter((path) => {
    const value = valueAt(settings, path);
    return typeof value === "object" && value !== null && Object.keys(value).length > 0;
  }).map((path) => path.join("."));
  return [...unknown, ...shallow];
}

/** The keys that `unreadable` checks, for tests. */
export const CHECKED_KEYS: readonly string[] = Object.keys(KEYS);
