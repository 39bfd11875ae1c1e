/**
 * What is known as secret material: one row a pattern, as data. To add one, add a row and its cases in
 * tests/cases/secrets. A row's place is its rank: where two match the same text, the upper one names it.
 */
import {
  type Found,
  isAssignedChance,
  isFilledIn,
  isMoreThanWords,
  isPasswordOfChance,
  isRepeated,
  isSecretAssignment,
  isSecretPassword,
  isUserToken,
  looksRandom,
} from "./values.ts";

/** One kind of secret, and how it is told. */
export interface Pattern {
  /** What a refusal and the user's configuration call it; never changes. */
  readonly id: string;
  /**
   * Texts, one of which every match begins with. They are searched for; the expression is not even compiled where
   * none occurs.
   */
  readonly literals: readonly string[];
  /**
   * The source of the regular expression that must match where a literal was found. It has one group: what varies
   * from secret to secret. It takes time linear in the text: a test holds how it may be built.
   */
  readonly source: string;
  /** Letters count in either case, in the literals (here lower) and in the expression. */
  readonly anyCase?: true;
  /** What must match the text before the literal, up to its end; without it, the match must begin a token. */
  readonly before?: string;
  /** How many characters before the literal the secret begins; `before` has told them. */
  readonly lead?: number;
  /** The group, which then ends the match, is the secret, not what leads to it. */
  readonly groupOnly?: true;
  /** The secret runs on from the match through the line with this text, where that is near. */
  readonly closes?: string;
  /** Groups that the vendor has published as examples: no secrets. */
  readonly published?: readonly string[];
  /** Whether what matched is one at all. */
  readonly accepts?: (found: Found) => boolean;
}

/** Ends a token of letters and digits; one in which `_` and `-` count too. */
const END = "(?![A-Za-z0-9])";
const END_DASHED = "(?![A-Za-z0-9_-])";

const raw = String.raw;

/** Quotes around a key or value, which may be escaped. */
const QUOTES = raw`["'\x60\\]{0,8}`;

/**
 * The source of an expression, in any case, for what stands between a key and the value that is assigned to it, in
 * code, JSON (also inside a string), YAML, XML, environment files, headers and options of a command.
 */
export const ASSIGNS: string = raw`(?:["'\x60\\\]]{0,8}(?:[ \t]{0,8}(?:!?={1,3}>?|:=|[:>]|\\u003[de]` +
  // `env.KEY || "value"`, `env["KEY"] ?? "value"`, `getenv("KEY") ?: "value"`: a default
  raw`|(?:\)[ \t]{0,2})?(?:\|\||\?\?=?|\?:|or[ \t])[ \t]{0,8}(?=["'\x60\\])` +
  // `get("KEY", "value")`, `env("KEY", default="value")`
  raw`|,[ \t]{0,8}(?:default[ \t]{0,4}=[ \t]{0,4})?(?=["'\x60\\])` +
  // `apiKey: string =`, `api_key string =`, `&'static str =`
  raw`|[ \t:]{0,4}&?(?:'static )?str(?:ing)?[ \t]{0,4}=)` +
  // `"name": "API_KEY", "value":` and the same in YAML
  raw`|,?(?:\s|\\[nr]){0,64}["'\\]{0,8}value["'\\]{0,8}[ \t]{0,8}[:=])` +
  // `--token value`
  raw`|[ \t])[ \t]{0,8}${QUOTES}`;

const SEEDS = ["RSA", "OPENSSH", "EC", "PGP"].map((kind) => `BEGIN ${kind} PRIVATE KEY`);

/** All patterns, the most specific first. */
export const PATTERNS: readonly Pattern[] = [
  // A PEM, OpenSSH, SSH2 or PGP armour header of a private key, whatever the kind: `-----BEGIN … PRIVATE KEY-----`,
  // `---- BEGIN SSH2 … KEY ----`, `-----BEGIN PGP … BLOCK-----` (RFC 7468, 4716, 9580).
  // The header is enough: a key that is cut is still one. Four kinds count without their dashes.
  {
    id: "private-key",
    literals: ["-----BEGIN ", "---- BEGIN ", ...SEEDS],
    before: "",
    source: raw`-{0,5} ?BEGIN ([A-Z0-9 ]{0,40}(?:PRIVATE|SECRET) KEY)(?: BLOCK)? ?-{0,5}`,
    closes: "-----END ",
  },
  // Base64 of such a header, as in a kubeconfig's client-key-data: `-----BEGIN ` and then `PRIVATE`, `RSA PRIVA`,
  // `EC PRIV`, `ENCRYPT`, `OPENSSH`, `DSA PRIVA`, `PGP PRIVA`.
  {
    id: "private-key-base64",
    literals: ["LS0tLS1CRUdJTi"],
    source:
      "LS0tLS1CRUdJTi((?:BQUklWQVRF|BSU0EgUFJJVkFU|BFQyBQUklW|BFTkNSWVBU|BPUEVOU1NI|BEU0EgUFJJVkFU|BQR1AgUFJJVkFU)[A-Za-z0-9+/]{16,}={0,2})",
  },
  // PuTTY's key file: `PuTTY-User-Key-File-`, its version, the kind of key, then Private-Lines and at last Private-MAC.
  {
    id: "putty-private-key",
    literals: ["PuTTY-User-Key-File-"],
    source: "PuTTY-User-Key-File-[0-9]{1,2}: {0,4}([a-z0-9-]{4,40})",
    closes: "Private-MAC:",
  },
  // age: `AGE-SECRET-KEY-1` and 58 characters of Bech32 in upper case.
  {
    id: "age-secret-key",
    literals: ["AGE-SECRET-KEY-1"],
    source: `AGE-SECRET-KEY-1([QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})${END}`,
  },

  // AWS: a four-letter kind and 16 of [A-Z2-7]: AKIA an access key, ASIA a temporary one, ABIA a service bearer
  // token, ACCA a context-specific credential. The other kinds (AIDA, AROA, …) name things.
  {
    id: "aws-access-key-id",
    literals: ["AKIA", "ASIA", "ABIA", "ACCA"],
    source: `A(?:KIA|SIA|BIA|CCA)([A-Z0-9]{16})${END}`,
    published: ["IOSFODNN7EXAMPLE", "I44QH8DHBEXAMPLE"],
  },
  // Amazon Bedrock: long-term keys are base64 that begins with `BedrockAPIKey-`, short-term ones of
  // `bedrock.amazonaws.com`.
  {
    id: "aws-bedrock-api-key",
    literals: ["ABSKQmVkcm9ja0FQSUtleS", "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"],
    source:
      "(?:ABSKQmVkcm9ja0FQSUtleS|bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t)([A-Za-z0-9+/]{40,}={0,2})",
  },
  // GitHub: `ghp_` personal, `gho_` OAuth, `ghu_` user-to-server, `ghr_` refresh; 36 of [A-Za-z0-9] now (76 in ghr_),
  // announced to grow.
  {
    id: "github-token",
    literals: ["ghp_", "gho_", "ghu_", "ghr_"],
    source: "gh[pour]_([A-Za-z0-9_]{20,})",
    published: [
      "16C7e42F292c6912E7710c838347Ae178B4a",
      "1B4a2e77838347a7E420ce178F2E7c6912E169246c34E1ccbF66C46812d16D5B1A9Dc86A1498",
    ],
    accepts: isMoreThanWords,
  },
  // GitHub App installations: `ghs_` and 36 of [A-Za-z0-9], or `ghs_<app id>_<JWT>` of about 520 characters.
  {
    id: "github-installation-token",
    literals: ["ghs_"],
    source: raw`ghs_([A-Za-z0-9_-]{20,4096}(?:\.[A-Za-z0-9_-]{1,8192}\.[A-Za-z0-9_-]{1,4096})?)`,
    published: ["16C7e42F292c6912E7710c838347Ae178B4a"],
    accepts: isMoreThanWords,
  },
  // GitHub fine-grained personal tokens: `github_pat_`, 22 of [A-Za-z0-9], `_`, 59 more.
  {
    id: "github-fine-grained-token",
    literals: ["github_pat_"],
    source: "github_pat_([A-Za-z0-9_]{36,})",
  },
  // GitLab: a prefix for each kind and 20 or more of [A-Za-z0-9_-]; routable tokens add `.` with a length and a
  // checksum. An instance may put its own prefix and `-` before.
  {
    id: "gitlab-token",
    literals: [
      ..."glpat gloas gldt glrt glrtr glcbt glptt glft glimt glagent glwt glsoat glffct".split(" ").map((
        kind,
      ) => `${kind}-`),
    ],
    before: raw`(?:^|[^A-Za-z0-9_-]|\\[nrt])(?:[A-Za-z0-9_-]{0,20}-)?$`,
    source: raw`gl[a-z]{2,5}-([A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7})?)`,
    accepts: isMoreThanWords,
  },
  // GitLab runner registration: `GR1348941` and 20 of [A-Za-z0-9_-].
  {
    id: "gitlab-runner-registration-token",
    literals: ["GR1348941"],
    source: `GR1348941([A-Za-z0-9_-]{20})${END_DASHED}`,
  },
  // GitLab's session cookie: `_gitlab_session=` and 32 hex digits.
  {
    id: "gitlab-session-cookie",
    literals: ["_gitlab_session="],
    source: `_gitlab_session=([0-9a-f]{32})${END}`,
    groupOnly: true,
  },
  // Slack: `xoxb-` bot, `xoxp-` user, `xoxa-`/`xoxr-` older ones, `xoxe-` refresh and `xoxe.xoxp-` rotated, `xoxc-`
  // and `xoxs-` of the client, then numbers and letters joined by `-`; `xoxd-` its cookie; `xapp-` of an app.
  {
    id: "slack-token",
    literals: ["xoxa-", "xoxb-", "xoxc-", "xoxe-", "xoxe.xox", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
    source: raw`x(?:oxe\.xox[bp]|ox[abceoprs]|app)-([0-9]{1,14}-[A-Za-z0-9-]{10,})`,
  },
  { id: "slack-session-cookie", literals: ["xoxd-"], source: "xoxd-([A-Za-z0-9%+/=_-]{40,})" },
  // Slack webhooks: the last part of the address is the secret.
  {
    id: "slack-webhook",
    literals: ["hooks.slack.com", "hooks.slack-gov.com"],
    source:
      raw`hooks\.slack(?:-gov)?\.com\\?/(?:services|workflows|triggers)\\?/[A-Z0-9]{8,14}\\?/[A-Z0-9]{8,20}\\?/` +
      raw`(?:[0-9]{10,24}\\?/)?([A-Za-z0-9]{18,})`,
  },
  // Stripe: `sk_` secret and `rk_` restricted keys, `live_` or `test_`; `pk_` keys are public.
  {
    id: "stripe-key",
    literals: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    source: "[rs]k_(?:live|test)_([A-Za-z0-9]{16,})",
    published: ["4eC39HqLyjWDarjtT1zdp7dc"],
  },
  // Stripe and Svix: `whsec_` signs webhooks.
  { id: "webhook-signing-secret", literals: ["whsec_"], source: "whsec_([A-Za-z0-9+/]{24,}={0,2})" },
  // Google API keys: `AIza` and 35 of [A-Za-z0-9_-].
  { id: "google-api-key", literals: ["AIza"], source: `AIza([A-Za-z0-9_-]{35})${END_DASHED}` },
  // Google OAuth: `GOCSPX-` and 28 for a client's secret, `ya29.` an access token, `1//0` a refresh token.
  { id: "google-oauth-client-secret", literals: ["GOCSPX-"], source: "GOCSPX-([A-Za-z0-9_-]{24,})" },
  { id: "google-oauth-access-token", literals: ["ya29."], source: raw`ya29\.([A-Za-z0-9_-]{20,})` },
  { id: "google-oauth-refresh-token", literals: ["1//0"], source: "1//0([A-Za-z0-9_-]{40,})" },
  // Azure storage: 64 bytes in base64 after `AccountKey=`. The emulators' keys are published.
  {
    id: "azure-storage-key",
    literals: ["AccountKey="],
    source: "AccountKey=([A-Za-z0-9+/]{86}==)",
    groupOnly: true,
    published: [
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==",
    ],
  },
  // Azure Service Bus, Event Hubs, IoT Hub, Relay: 32 or 48 bytes in base64 after `SharedAccessKey=`.
  {
    id: "azure-shared-access-key",
    literals: ["SharedAccessKey="],
    source: "SharedAccessKey=([A-Za-z0-9+/]{43,64}={0,2})",
    groupOnly: true,
  },

  // Anthropic: `sk-ant-`, the kind (`api03`, `admin01`, `oat01`, …), `-` and about 95 of [A-Za-z0-9_-].
  {
    id: "anthropic-key",
    literals: ["sk-ant-"],
    source: "sk-ant-[a-z]{2,8}[0-9]{2}-([A-Za-z0-9_-]{80,})",
  },
  // OpenAI: `sk-proj-`, `sk-svcacct-`, `sk-admin-` and more than a hundred of [A-Za-z0-9_-]; keys of old have
  // `T3BlbkFJ` between two parts of 20.
  {
    id: "openai-key",
    literals: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
    source: "sk-(?:proj|svcacct|admin)-([A-Za-z0-9_-]{40,})",
  },
  { id: "openai-legacy-key", literals: ["sk-"], source: `sk-([A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})${END}` },
  // Any other `sk-` key (OpenRouter, DeepSeek, LiteLLM, Langfuse, …): 16 or more of [A-Za-z0-9_-], not words alone.
  { id: "sk-key", literals: ["sk-"], source: "sk-([A-Za-z0-9_-]{16,})", accepts: isMoreThanWords },
  // Other model vendors: Groq `gsk_` and 52, Hugging Face `hf_` and 34 letters, Perplexity `pplx-` and 48, Replicate
  // `r8_` and 37, xAI `xai-` and 80.
  { id: "groq-api-key", literals: ["gsk_"], source: "gsk_([A-Za-z0-9]{40,})" },
  { id: "huggingface-token", literals: ["hf_"], source: "hf_([A-Za-z0-9]{30,})" },
  { id: "perplexity-api-key", literals: ["pplx-"], source: "pplx-([A-Za-z0-9]{40,})" },
  { id: "replicate-api-token", literals: ["r8_"], source: `r8_([A-Za-z0-9]{37})${END}` },
  { id: "xai-api-key", literals: ["xai-"], source: "xai-([A-Za-z0-9]{70,})" },

  // npm: `npm_`, 30 random and 6 of checksum.
  { id: "npm-token", literals: ["npm_"], source: `npm_([A-Za-z0-9]{36})${END}` },
  // The registry's line in .npmrc, whatever the token looks like.
  {
    id: "npmrc-auth-token",
    literals: ["_authToken"],
    before: "(?:^|[^A-Za-z0-9])$",
    source: raw`_authToken {0,4}= {0,4}["']?([A-Za-z0-9_+/.-]{16,}={0,2})`,
    groupOnly: true,
    accepts: isFilledIn,
  },
  // PyPI: a macaroon in base64 whose location is `pypi.org` or `test.pypi.org`.
  {
    id: "pypi-token",
    literals: ["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"],
    source: "pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)([A-Za-z0-9_-]{50,})",
  },
  // RubyGems: `rubygems_` and 48 hex digits.
  { id: "rubygems-api-key", literals: ["rubygems_"], source: `rubygems_([0-9a-f]{48})${END}` },
  // Docker Hub: `dckr_pat_` and 27 of [A-Za-z0-9_-], `dckr_oat_` and 32 for an organization.
  { id: "docker-token", literals: ["dckr_pat_", "dckr_oat_"], source: "dckr_[op]at_([A-Za-z0-9_-]{27,})" },

  // SendGrid: `SG.`, 22 of [A-Za-z0-9_-], `.`, 43 more.
  {
    id: "sendgrid-api-key",
    literals: ["SG."],
    source: raw`SG\.([A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64})${END_DASHED}`,
  },
  // Twilio API keys: `SK` and 32 hex digits. `AC…` is an account's id.
  { id: "twilio-api-key", literals: ["SK"], source: `SK([0-9a-f]{32})${END}` },
  // Mailgun's keys of old: `key-` and 32 hex digits.
  { id: "mailgun-api-key", literals: ["key-"], source: `key-([0-9a-f]{32})${END}` },
  // Brevo: `xkeysib-`, 64 hex digits, `-`, 16 of [A-Za-z0-9].
  { id: "brevo-api-key", literals: ["xkeysib-"], source: `xkeysib-([0-9a-f]{64}-[A-Za-z0-9]{16})${END}` },
  // Telegram bots: the bot's number, `:`, `AA` and 33 of [A-Za-z0-9_-].
  {
    id: "telegram-bot-token",
    literals: [":AA"],
    before: "(?:^|[^0-9])[0-9]{8,10}$",
    source: `:(AA[A-Za-z0-9_-]{33})${END_DASHED}`,
    published: ["AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"],
  },
  // Discord webhooks: the channel's number and 68 of [A-Za-z0-9_-].
  {
    id: "discord-webhook",
    literals: ["discord.com", "discordapp.com"],
    source:
      raw`discord(?:app)?\.com\\?/api\\?/(?:v[0-9]{1,2}\\?/)?webhooks\\?/[0-9]{17,20}\\?/([A-Za-z0-9_-]{60,})`,
  },

  // DigitalOcean: `dop_v1_` personal, `doo_v1_` OAuth, `dor_v1_` refresh, and 64 hex digits.
  {
    id: "digitalocean-token",
    literals: ["dop_v1_", "doo_v1_", "dor_v1_"],
    source: `do[opr]_v1_([0-9a-f]{64})${END}`,
  },
  // Heroku: `HRKU-` and a UUID or 60 of [A-Za-z0-9_-].
  { id: "heroku-api-key", literals: ["HRKU-"], source: "HRKU-([A-Za-z0-9_-]{36,})" },
  // Cloudflare: `cfk_` global, `cfut_` user's, `cfat_` account's; 40 characters and a checksum of 8 hex digits.
  {
    id: "cloudflare-token",
    literals: ["cfk_", "cfut_", "cfat_"],
    source: "cf(?:k|ut|at)_([A-Za-z0-9]{40,})",
  },
  // Cloudflare's origin CA: `v1.0-`, 24 hex digits, `-`, 146 hex digits.
  {
    id: "cloudflare-origin-ca-key",
    literals: ["v1.0-"],
    source: raw`v1\.0-([0-9a-f]{24}-[0-9a-f]{146})${END}`,
  },
  // Terraform Cloud: 14 of [A-Za-z0-9], `.atlasv1.`, 60 to 70 more.
  {
    id: "terraform-token",
    literals: [".atlasv1."],
    before: "(?:^|[^A-Za-z0-9])[A-Za-z0-9]{14}$",
    source: raw`\.atlasv1\.([A-Za-z0-9_=-]{60,70})${END_DASHED}`,
  },
  // Vault: `hvs.` service, `hvb.` batch, `hvr.` recovery, and 24 or more of [A-Za-z0-9_-].
  {
    id: "vault-token",
    literals: ["hvs.", "hvb.", "hvr."],
    source: raw`hv[bsr]\.([A-Za-z0-9_-]{24,})`,
    accepts: isMoreThanWords,
  },
  // Doppler: `dp.`, the kind, and 40 to 44 of [A-Za-z0-9]; a service token names its config between.
  {
    id: "doppler-token",
    literals: ["dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "dp.said.", "dp.scim.", "dp.audit."],
    source: raw`dp\.(?:pt|st|sa|ct|said|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?([A-Za-z0-9]{40,44})${END}`,
  },
  // Pulumi: `pul-` and 40 hex digits.
  { id: "pulumi-access-token", literals: ["pul-"], source: `pul-([0-9a-f]{40})${END}` },
  // Tailscale: `tskey-`, the kind, an id, a secret.
  {
    id: "tailscale-key",
    literals: ["tskey-"],
    source: "tskey-[a-z]{2,20}-([A-Za-z0-9_]{8,40}-[A-Za-z0-9_]{16,})",
  },
  // Vercel: `vcp_` personal, `vci_` integration, `vca_` app, `vcr_` refresh, `vck_` AI gateway.
  {
    id: "vercel-token",
    literals: ["vcp_", "vci_", "vca_", "vcr_", "vck_"],
    source: "vc[aciprk]_([A-Za-z0-9]{20,})",
  },
  // Databricks: `dapi`, 32 hex digits, perhaps `-` and a digit.
  { id: "databricks-token", literals: ["dapi"], source: `dapi([0-9a-f]{32}(?:-[0-9])?)${END}` },
  // PlanetScale: `pscale_tkn_`, `pscale_pw_`, `pscale_oauth_`.
  {
    id: "planetscale-token",
    literals: ["pscale_"],
    source: "pscale_(?:tkn|pw|oauth)_([A-Za-z0-9_.=-]{32,})",
  },
  // Supabase: `sbp_` and 40 hex digits for an account, `sb_secret_` for a project.
  {
    id: "supabase-key",
    literals: ["sbp_", "sb_secret_"],
    source: "sb(?:p|_secret)_([A-Za-z0-9_-]{30,})",
    accepts: isMoreThanWords,
  },

  // Shopify: `shpat_` access, `shpca_` custom app, `shppa_` private app, `shpss_` shared secret; 32 hex digits.
  {
    id: "shopify-token",
    literals: ["shpat_", "shpca_", "shppa_", "shpss_"],
    source: `shp(?:at|ca|pa|ss)_([A-Fa-f0-9]{32,64})${END}`,
  },
  // Linear: `lin_api_` and 40 of [A-Za-z0-9], `lin_oauth_` and 64.
  {
    id: "linear-api-key",
    literals: ["lin_api_", "lin_oauth_"],
    source: "lin_(?:api|oauth)_([A-Za-z0-9]{32,})",
  },
  // Postman: `PMAK-`, 24 hex digits, `-`, 34 hex digits.
  { id: "postman-api-key", literals: ["PMAK-"], source: `PMAK-([0-9a-f]{24}-[0-9a-f]{34})${END}` },
  // Grafana: `glsa_`, 32 of [A-Za-z0-9], `_`, 8 hex digits for a service account; `glc_` and base64 for the cloud.
  {
    id: "grafana-service-account-token",
    literals: ["glsa_"],
    source: `glsa_([A-Za-z0-9]{32}_[A-Fa-f0-9]{8})${END}`,
  },
  { id: "grafana-cloud-token", literals: ["glc_"], source: "glc_([A-Za-z0-9+/]{32,}={0,2})" },
  // Sentry: `sntryu_` and 64 hex digits for a user, `sntrys_`, base64 of JSON, `_` and 43 for an organization.
  { id: "sentry-token", literals: ["sntryu_", "sntrys_"], source: "sntry[su]_([A-Za-z0-9+/=_-]{64,})" },
  // New Relic user keys: `NRAK-` and 27 of [A-Z0-9].
  { id: "new-relic-user-key", literals: ["NRAK-"], source: `NRAK-([A-Z0-9]{27})${END}` },
  // Notion: `ntn_`, 11 digits and 35 of [A-Za-z0-9]; of old `secret_` and 43.
  {
    id: "notion-token",
    literals: ["ntn_", "secret_"],
    source: `(?:ntn|secret)_([A-Za-z0-9]{43,46})${END}`,
  },
  // Figma: `figd_` and 40 or more of [A-Za-z0-9_-].
  { id: "figma-token", literals: ["figd_"], source: "figd_([A-Za-z0-9_-]{40,})" },
  // Atlassian: `ATATT3xFfGF0` of an account, `ATCTT3xFfGN0` of a repository, and more than a hundred characters.
  {
    id: "atlassian-token",
    literals: ["ATATT3xFfGF0", "ATCTT3xFfGN0"],
    source: "AT[AC]TT3xFfG[FN]0([A-Za-z0-9_=-]{100,})",
  },
  // 1Password service accounts: `ops_` and JSON in base64.
  {
    id: "onepassword-service-account",
    literals: ["ops_eyJ"],
    source: "ops_eyJ([A-Za-z0-9+/_-]{100,}={0,2})",
  },

  // Azure AD client secrets: three characters, a digit, `Q~`, 31 to 34 of [A-Za-z0-9_~.-].
  {
    id: "azure-client-secret",
    literals: ["7Q~", "8Q~"],
    before: "(?:^|[^A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}$",
    lead: 3,
    source: "[78]Q~([A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9_~-])",
  },
  // Square: `sq0csp-` and 43 of [A-Za-z0-9_-] for an application's secret, `sq0atp-` and 22, or `EAAA` and 60 for access.
  {
    id: "square-token",
    literals: ["sq0csp-", "sq0atp-"],
    source: `sq0(?:csp|atp)-([A-Za-z0-9_-]{22,60})${END_DASHED}`,
  },
  {
    id: "square-access-token",
    literals: ["EAAA"],
    source: `EAAA([A-Za-z0-9_-]{60})(?![A-Za-z0-9_+/=-])`,
    accepts: ({ value }) => looksRandom(value),
  },
  // Mapbox secret tokens: `sk.` and a JSON Web Token without its header; `pk.` ones are public.
  {
    id: "mapbox-secret-token",
    literals: ["sk.eyJ"],
    source: raw`sk\.eyJ([A-Za-z0-9_-]{20,400}\.[A-Za-z0-9_-]{20,})`,
  },
  // Mailchimp: 32 hex digits, `-us` and the number of a data centre.
  {
    id: "mailchimp-api-key",
    literals: ["-us"],
    before: "(?:^|[^A-Za-z0-9])[0-9a-f]{32}$",
    lead: 32,
    source: `-(us[0-9]{1,2})${END_DASHED}`,
    accepts: ({ text, start, at }) => !isRepeated(text.slice(start, at)),
  },
  // Netlify: `nfp_` and 36 or more of [A-Za-z0-9].
  { id: "netlify-token", literals: ["nfp_"], source: "nfp_([A-Za-z0-9]{32,})" },
  // Buildkite: `bkua_` and 40 hex digits.
  { id: "buildkite-token", literals: ["bkua_"], source: `bkua_([0-9a-f]{40})${END}` },
  // Bitbucket app passwords: `ATBB` and 32 of [A-Za-z0-9].
  { id: "bitbucket-app-password", literals: ["ATBB"], source: `ATBB([A-Za-z0-9]{32})${END_DASHED}` },
  // HubSpot private apps: `pat-`, the region, `-` and a UUID.
  {
    id: "hubspot-token",
    literals: ["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"],
    source: `pat-(?:na|eu|ap)[12]-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})${END}`,
  },
  // Fly.io: `FlyV1 fm2_` and a macaroon in base64.
  { id: "fly-token", literals: ["fm2_"], source: "fm2_([A-Za-z0-9+/]{60,}={0,3})" },
  // Dynatrace: `dt0c01.`, 24 of [A-Z0-9] that name it, `.`, 64 more.
  {
    id: "dynatrace-token",
    literals: ["dt0c01."],
    source: raw`dt0c01\.([A-Z0-9]{24}\.[A-Z0-9]{64})${END}`,
  },
  // Render: `rnd_` and 28 or more of [A-Za-z0-9]. Resend: `re_`, 8, `_`, 24.
  { id: "render-api-key", literals: ["rnd_"], source: `rnd_([A-Za-z0-9]{24,40})${END_DASHED}` },
  {
    id: "resend-api-key",
    literals: ["re_"],
    source: `re_([A-Za-z0-9]{8}_[A-Za-z0-9]{24})${END_DASHED}`,
    accepts: isMoreThanWords,
  },
  // More model vendors: NVIDIA `nvapi-` and 64, LangSmith `lsv2_pt_` or `lsv2_sk_`, 32 and 10 hex digits, Pinecone
  // `pcsk_`, 5 or 6 and 63, Fireworks `fw_` and 24, Tavily `tvly-`, perhaps `dev-`, and 32.
  { id: "nvidia-api-key", literals: ["nvapi-"], source: "nvapi-([A-Za-z0-9_-]{60,})" },
  {
    id: "langsmith-api-key",
    literals: ["lsv2_pt_", "lsv2_sk_"],
    source: `lsv2_(?:pt|sk)_([0-9a-f]{32}_[0-9a-f]{10})${END}`,
  },
  { id: "pinecone-api-key", literals: ["pcsk_"], source: "pcsk_([A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,})" },
  {
    id: "fireworks-api-key",
    literals: ["fw_"],
    source: `fw_([A-Za-z0-9]{22,24})${END_DASHED}`,
    accepts: ({ value }) => looksRandom(value),
  },
  {
    id: "tavily-api-key",
    literals: ["tvly-"],
    source: `tvly-(?:dev-|prod-)?([A-Za-z0-9]{32})${END}`,
  },
  // Sourcegraph: `sgp_`, perhaps 16 hex digits or `local` and `_`, 40 hex digits.
  {
    id: "sourcegraph-token",
    literals: ["sgp_"],
    source: `sgp_(?:(?:[0-9a-f]{16}|local)_)?([0-9a-f]{40})${END}`,
  },
  // Sonar: `squ_` a user's, `sqp_` a project's, `sqa_` for analyses, and 40 hex digits.
  { id: "sonar-token", literals: ["squ_", "sqp_", "sqa_"], source: `sq[upa]_([0-9a-f]{40})${END}` },
  // Contentful management: `CFPAT-` and 43 of [A-Za-z0-9_-].
  { id: "contentful-token", literals: ["CFPAT-"], source: `CFPAT-([A-Za-z0-9_-]{43})${END_DASHED}` },
  // Alibaba Cloud: `LTAI` and 12 to 20 of [A-Za-z0-9]; an id, as AWS's.
  {
    id: "alibaba-access-key-id",
    literals: ["LTAI"],
    source: `LTAI([A-Za-z0-9]{12,20})${END_DASHED}`,
    accepts: ({ value }) => /[0-9]/.test(value),
  },
  // CircleCI: `CCIPAT_` personal, `CCIPRJ_` of a project; 22 of [A-Za-z0-9], `_`, 40 hex digits.
  {
    id: "circleci-token",
    literals: ["CCIPAT_", "CCIPRJ_"],
    source: `CCIP(?:AT|RJ)_([A-Za-z0-9]{22}_[0-9a-f]{40})${END}`,
  },
  // Typeform: `tfp_`, about 44 and 59 of [A-Za-z0-9_.=-].
  {
    id: "typeform-token",
    literals: ["tfp_"],
    source: "tfp_([A-Za-z0-9_.=-]{40,})",
    accepts: isMoreThanWords,
  },

  // JSON Web Tokens: header and claims are JSON (`eyJ` is `{"`) in base64url, then the signature. One without
  // signature is no secret.
  {
    id: "json-web-token",
    literals: ["eyJ"],
    source: raw`eyJ[A-Za-z0-9_-]{8,2048}\.eyJ[A-Za-z0-9_-]{4,16384}\.([A-Za-z0-9_-]{16,})`,
    published: [
      "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
      "KMUFsIDTnFmyG3nMiGM6H9FNFUROf3wh7SmqJp-QV30",
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    ],
  },
  // scheme://user:password@host (RFC 3986). Not for placeholders and example hosts: see isSecretPassword.
  {
    id: "url-credentials",
    literals: ["://", raw`:\/\/`],
    before: "[A-Za-z0-9+.-]$",
    source:
      raw`:\\?/\\?/[^\s:@/"'<>\x60\\{}|[\]]{0,128}:([^\s@/"'<>\x60\\{}|[\]]{1,256})(?=@[A-Za-z0-9_[$%{<])`,
    groupOnly: true,
    accepts: isSecretPassword,
  },
  // https://token@host: a token where the user stands, and no password.
  {
    id: "url-token",
    literals: ["://", raw`:\/\/`],
    before: "https?$",
    source: raw`:\\?/\\?/([A-Za-z0-9_-]{20,255})(?=@[A-Za-z0-9])`,
    groupOnly: true,
    accepts: isUserToken,
  },
  // Passwords on a command line: `curl -u user:password`, `sshpass -p password`.
  {
    id: "command-password",
    literals: ["curl ", "sshpass"],
    source:
      raw`(?:curl (?:[^\x0a\x0d]{0,80}[ \t])?(?:-[A-Za-z]{0,6}u|--user)[ \t=]?["']?[^\s:"'\x60$<{]{1,40}:|sshpass -p[ \t]?["']?)` +
      raw`([^\s"'\x60\\$<>{}]{8,128})`,
    groupOnly: true,
    accepts: isPasswordOfChance,
  },
  // Django's SECRET_KEY: 50 of [a-z0-9!@#$%^&*(-_=+)] in quotes, perhaps after `django-insecure-`.
  {
    id: "django-secret-key",
    literals: ["SECRET_KEY"],
    before: "",
    source:
      raw`SECRET_KEY["'\])]{0,3}[ \t]{0,4}[:=,|?]{1,2}[ \t]{0,4}(?:default=)?["']{1,3}((?:django-insecure-)?[a-z0-9!@#$%^&*()_=+-]{48,52})(?=["'\x60\\])`,
    groupOnly: true,
    accepts: ({ value }) =>
      /[0-9]/.test(value) && (value.match(/[!@#$%^&*()=+]/g) ?? []).length > 3 &&
      !/change|your|example|secret/.test(value),
  },
  // AWS secret access keys have no prefix: 40 characters of base64 that are assigned to a key of that name.
  {
    id: "aws-secret-access-key",
    literals: ["secretaccesskey", "secret_access_key", "secret-access-key"],
    anyCase: true,
    before: "",
    source: `secret[_-]?access[_-]?key${ASSIGNS}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])`,
    groupOnly: true,
    published: ["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY"],
    accepts: isAssignedChance,
  },
  // What is assigned to a key that names a secret, in code, JSON, YAML, XML, environment files, headers and options,
  // and looks like chance. Length, entropy and what is passed over: see isSecretAssignment.
  {
    id: "generic-assignment",
    literals: [
      "pass",
      "secret",
      "token",
      "apikey",
      "api_key",
      "api-key",
      "api key",
      "accesskey",
      "access_key",
      "access-key",
      "accountkey",
      "account_key",
      "privatekey",
      "private_key",
      "private-key",
      ...["encryption", "signing"].flatMap((use) => ["", "_", "-"].map((mark) => `${use}${mark}key`)),
      "cred",
      "auth",
    ],
    anyCase: true,
    before: "",
    source:
      raw`(?:passw(?:or)?d|passphrase|pass(?![a-z])|secret|token(?!iz)|api[_ -]?key|(?:access|account|private|encryption|signing)[_-]?key|credential|` +
      raw`auth(?:orization|[_-]?key|(?![a-z])))[\w.-]{0,40}(?![\w.-])${ASSIGNS}` +
      raw`(?:(?:bearer|basic|token) {1,2})?${QUOTES}([A-Za-z0-9+/_.~!@#%^*?$-]{8,}={0,2})`,
    groupOnly: true,
    // The examples of RFC 6749: an access and a refresh token, a client's secret, and one with its user in base64.
    published: [
      "2YotnFZFEjr1zCsicMWpAA",
      "tGzv3JOkF0XG5Qx2TlKWIA",
      "7Fjfp0ZBr1KtDRbnfVdmIw",
      "czZCaGRSa3F0MzpnWDFmQmF0M2JW",
    ],
    accepts: isSecretAssignment,
  },
  // The same for `pwd`, which is too short to be looked for in any case.
  {
    id: "pwd-assignment",
    literals: ["pwd", "Pwd", "PWD"],
    before: "",
    source: raw`[Pp](?:wd|WD)[\w.-]{0,40}(?![\w.-])${ASSIGNS}${QUOTES}([A-Za-z0-9+/_.~!@#%^*?$-]{8,}={0,2})`,
    groupOnly: true,
    accepts: isSecretAssignment,
  },
];
