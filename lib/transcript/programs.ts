/** What commands do, told by their program and its subcommand: one row a program. */

/** What a command does, where that is known and is no work. */
export type Deed =
  /** It prints, and changes nothing. */
  | { readonly kind: "reads" }
  /** It runs tests; `args` stand behind what names the runner. */
  | { readonly kind: "tests"; readonly runner: string; readonly args: readonly string[] }
  /** It runs a command. */
  | { readonly kind: "runs"; readonly words: readonly string[] }
  /** It has a shell read a text. */
  | { readonly kind: "script"; readonly text: string };

type Rows = Readonly<Record<string, string>>;
type Patterns = Readonly<Record<string, RegExp>>;

const READS: Deed = { kind: "reads" };

/** Programs that only read, whatever their arguments, or with none that the next table has. */
const PROGRAMS =
  "nm objdump readelf ldd otool size dig host nslookup ping ping6 traceroute tracepath whois journalctl dmesg getent lscpu " +
  "lsblk lspci lsusb lsmod vmstat iostat nvidia-smi sysctl base64 b2sum zipinfo tokei cloc scc diffstat yq pstree w who " +
  "last groups tty locale arch apt-cache jps sw_vers system_profiler ncal cal";

/** What makes a program write that is known to read. */
const WRITES: Patterns = {
  journalctl: /^--(?:vacuum|rotate|flush|sync|relinquish|setup)/,
  dmesg: /^-(?:[a-zA-Z]*[cCDEn]|-clear|-read-clear)/,
  sysctl: /=|^-(?:[a-z]*[wp]|-write|-load|-system)/,
  base64: /^(?:-o|--output)/,
  yq: /^(?:-[a-zA-Z]*i|--inplace|--in-place|-s|--split)/,
  npm: /^fix$/,
  pnpm: /^--fix$/,
  cargo: /^--(?:fix|accept)$/,
  deno: /^--fix$/,
  bun: /^(?:-u|--update-snapshots)$/,
  go: /^-{1,2}(?:update|w|fix|o)(?:$|=)/,
  ip: /^(?:add|del|delete|set|flush|change|replace|append|exec|restore)$/,
  terraform: /^-{1,2}(?:out|generate-config-out)(?:$|=)/,
  helm: /^--output-dir/,
  kubectl: /^--output-directory/,
  openssl: /^-(?:out|writerand|keyout)$/,
  prettier: /^-w$/,
  gofmt: /^-w$/,
};

/** The same of every program. */
const ANY_WRITES =
  /^(?:--fix(?:-\w+)?|--write|--in-place|--update-?snapshots?|--snapshot-update|--updateSnapshot|--bless)(?:$|=)/;

/** Subcommands that only read: `a/b|c` is `a b` or `a c`, and what follows is no matter. */
const SUBCOMMANDS: Rows = {
  docker:
    "ps logs inspect images stats top port version info diff events search history image/ls|inspect|history " +
    "container/ls|list|ps|inspect|logs|top|stats|port|diff volume/ls|inspect network/ls|inspect system/df|info|events " +
    "compose/ps|logs|config|images|top|ls|version|port|events|stats context/ls|show|inspect manifest/inspect " +
    "buildx/ls|inspect|du node/ls|ps|inspect service/ls|ps|logs|inspect stack/ls|ps|services plugin/ls|inspect",
  "docker-compose": "ps logs config images top ls version port events",
  kubectl:
    "get describe logs top explain version api-resources api-versions cluster-info diff events auth/can-i|whoami " +
    "config/view|get-contexts|current-context|get-clusters|get-users rollout/status|history",
  oc: "get describe logs status whoami projects explain version events",
  helm:
    "list ls status get show inspect history search template version lint env repo/list|ls plugin/list|ls",
  gh:
    "pr/view|diff|list|ls|checks|status issue/list|ls|view|status run/view|list|ls|watch repo/view|list|ls status " +
    "release/list|ls|view workflow/list|ls|view search auth/status label/list gist/list|view secret/list " +
    "variable/list|get cache/list org/list ruleset/list|view|check project/list|view|item-list|field-list",
  glab:
    "mr/view|diff|list issue/list|view ci/status|list|view|trace|get repo/view|list|search release/list|view",
  npm:
    "ls list ll la view v info show outdated audit explain why search help config/get|list|ls pkg/get root prefix bin " +
    "whoami ping doctor fund query owner/ls dist-tag/ls access/list",
  pnpm: "ls list ll why outdated audit licenses root bin view info config/get|list",
  yarn: "list why info outdated audit workspaces/list|info config/get|list npm/info|audit bin versions",
  bun: "outdated pm/ls|bin|hash|whoami info why audit",
  pip: "list show freeze check index inspect debug help cache/dir|info|list config/list|get|debug",
  uv: "tree pip/list|show|freeze|tree|check python/list|find|dir version cache/dir tool/list|dir",
  poetry: "show check about env/info|list",
  pipenv: "graph check verify",
  conda: "list info search env/list",
  cargo: "tree metadata search info check c clippy audit deny outdated locate-project pkgid verify-project " +
    "read-manifest version help",
  rustup: "show which check toolchain/list target/list component/list",
  go: "version env list vet doc mod/graph|why|verify help",
  deno: "check lint info doc types outdated",
  gem: "list info search outdated contents environment env which dependency",
  bundle: "list show info outdated check platform",
  composer: "show info outdated audit validate licenses why depends prohibits diagnose status",
  dotnet: "list nuget/list",
  swift: "package/describe|show-dependencies|dump-package",
  flutter: "analyze doctor devices",
  dart: "analyze info pub/deps|outdated",
  mix: "hex.outdated xref credo dialyzer deps.tree app.tree phx.routes",
  rails: "routes about stats notes db:migrate:status db:version",
  php: "artisan/route:list|about|migrate:status|list|db:show|model:show|config:show",
  systemctl:
    "status show cat list-units list-unit-files list-timers list-sockets list-dependencies list-jobs is-active " +
    "is-enabled is-failed is-system-running get-default",
  launchctl: "list print blame",
  timedatectl: "status show list-timezones",
  ip: "a addr address r ro route l link n neigh rule maddress",
  terraform: "plan show output validate version providers graph state/list|show|pull workspace/list|show",
  pulumi: "preview whoami stack/ls|output|graph|history logs",
  brew: "list ls info search outdated deps uses leaves config doctor desc cat",
  apt: "list show search policy depends rdepends",
  snap: "list info find",
  "redis-cli":
    "get mget keys scan ttl type info ping exists hgetall hget hlen lrange llen smembers scard zrange strlen dbsize",
  openssl: "version x509 s_client dgst verify crl",
  flyctl: "status logs apps/list releases",
  heroku: "logs apps ps config releases",
  vercel: "ls list inspect logs whoami",
  adb: "devices logcat version",
  "golangci-lint": "run linters",
  biome: "check lint ci",
  dprint: "check",
  swiftlint: "lint rules",
  defaults: "read",
  "7z": "l t",
  bazel: "query cquery aquery info version",
};

/** Subcommands that run tests. */
const TESTS: Rows = {
  cargo: "test t nextest/run",
  go: "test",
  deno: "test",
  bun: "test",
  dotnet: "test",
  swift: "test",
  flutter: "test",
  dart: "test",
  mix: "test",
  rails: "test spec",
  rake: "test spec",
  composer: "test",
  php: "artisan/test",
  playwright: "test",
  cypress: "run",
  zig: "test build/test",
  bazel: "test",
  stack: "test",
  cabal: "test",
  sbt: "test testQuick testOnly",
  lein: "test",
  meson: "test",
  dune: "test runtest",
  ng: "test",
  "react-scripts": "test",
  nx: "test",
  turbo: "test run/test",
  xcodebuild: "test",
};

/** Programs that run tests and nothing else. */
const TESTERS =
  "pytest py.test jest vitest mocha ava tap tape rspec phpunit pest ctest bats tox nox karma busted behave cucumber " +
  "cucumber-js web-test-runner wtr uvu testem elm-test prove unittest gotestsum trial nosetests";

/** Makes a run of tests write what it holds against. */
const RECORDS =
  /^(?:-u|--update|--update-?snapshots?|--updateSnapshot|--snapshot-update|--inline-snapshot=\S+)(?:$|=)/;

/** Programs that look at sources, where nothing tells them to mend them. */
const CHECKERS =
  "eslint tslint stylelint oxlint mypy pyright basedpyright flake8 pylint shellcheck hadolint yamllint markdownlint " +
  "markdownlint-cli2 actionlint staticcheck govulncheck phpstan psalm phpcs luacheck ktlint detekt cppcheck knip depcheck " +
  "bandit semgrep trivy codespell typos vulture radon jscpd rubocop brakeman clang-tidy checkov tflint";
const MENDS = /^(?:-(?:fix\S*|[awioA]|[a-z]*o=\S+)|--(?:fix|write|auto-?correct|output|baseline)\S*)$/;

/** Programs that only read with one of these arguments. */
const NEEDS: Patterns = {
  tsc: /^--noEmit$/i,
  "vue-tsc": /^--noEmit$/i,
  prettier: /^(?:-[cl]|--check|--list-different)$/,
  black: /^--(?:check|diff)$/,
  isort: /^(?:-c|--check|--check-only|--diff)$/,
  gofmt: /^-[ld]$/,
  rustfmt: /^--check$/,
  crontab: /^-l$/,
  unzip: /^-[lvtZp]\w*$/,
  dpkg: /^(?:-[lLsS]|--(?:list|status|listfiles|search|print-architecture))$/,
  rpm: /^(?:-q\w*|--query)$/,
  pacman: /^-(?:Q\w*|S[si]\w*)$/,
  xcodebuild: /^-(?:list|showsdks|showBuildSettings|showdestinations)$/,
  xcrun: /^(?:--find|--show-sdk-path|-f)$/,
  php: /^-[lvmi]$/,
  ruby: /^-[cv]$/,
  perl: /^-[cv]$/,
  node: /^(?:-v|-c|--check)$/,
  python: /^-VV?$/,
  bash: /^-[a-z]*n$/,
  sh: /^-[a-z]*n$/,
  make: /^(?:-n|--just-print|--recon|-v)$/,
  gcc: /^(?:-fsyntax-only|-v|-dumpversion|-dumpmachine)$/,
  wget: /^(?:--spider|-[a-zA-Z]*O-|--output-document=-)$/,
  gpg: /^(?:--list\S*|-[kK]|--verify)$/,
  tar: /^--list$/,
  dotnet: /^--(?:info|list-sdks|list-runtimes|verify-no-changes)$/,
  cargo: /^(?:--check|--list|-Vv)$/,
  deno: /^--check$/,
  mix: /^--check-formatted$/,
  psql: /^(?:-l|--list)$/,
  ruff: /^(?:check|--check|--diff)$/,
  terraform: /^-check$/,
  top: /^-[a-z]*b\w*$/,
};

/** Programs that only tell what they would do where they are asked to. */
const REHEARSED =
  "rsync npm pnpm yarn cargo kubectl oc helm apt poetry pip uv composer brew gem semantic-release aws";
const REHEARSAL = /^--dry-run(?:=(?:client|server|true))?$/;

/** Programs of {@linkcode NEEDS} whose argument counts beside this subcommand alone. */
const NEEDS_BESIDE: Rows = { cargo: "fmt", deno: "fmt", mix: "format", terraform: "fmt", dotnet: "format" };

/** Programs that are called otherwise, too. */
const ALIKE: Rows = {
  podman: "docker",
  k: "kubectl",
  pip3: "pip",
  python3: "python",
  py: "python",
  tofu: "terraform",
  fly: "flyctl",
  mamba: "conda",
  mvnw: "mvn",
  gradlew: "gradle",
  gmake: "make",
  zsh: "bash",
  dash: "sh",
  clang: "gcc",
  "g++": "gcc",
  nodejs: "node",
  mariadb: "mysql",
  bazelisk: "bazel",
  pnpx: "npx",
  bunx: "npx",
  uvx: "npx",
  "apt-get": "apt",
  "7za": "7z",
};

/** Programs that run the command behind their subcommand; "" where it follows at once. */
const RUNS: Rows = {
  npx: "",
  "cross-env": "",
  uv: "run",
  poetry: "run",
  pipenv: "run",
  rye: "run",
  hatch: "run",
  pdm: "run",
  conda: "run",
  bundle: "exec",
  npm: "exec x",
  pnpm: "exec dlx",
  yarn: "exec dlx",
  mise: "exec x",
  doppler: "run",
};

/** Options, before the subcommand, whose value is a word of its own. */
const VALUED: Rows = {
  docker:
    "-H --host --context -c -f --file -p --project-name --profile --env-file --project-directory -l --log-level",
  "docker-compose": "-f --file -p --project-name --profile --env-file",
  kubectl: "-n --namespace --context --kubeconfig --cluster --user -s --server",
  oc: "-n --namespace --context --kubeconfig",
  helm: "-n --namespace --kube-context --kubeconfig",
  gh: "-R --repo --hostname",
  glab: "-R --repo",
  npm: "--prefix -w --workspace -C --loglevel -p --package",
  pnpm: "--dir -C --filter -F",
  yarn: "--cwd",
  npx: "-p --package --from --with -w --workspace",
  uv: "--project --directory --with --python -p --extra --group",
  poetry: "-C --directory -P --project",
  conda: "-n --name -p --prefix",
  cargo: "--config -C --manifest-path --color",
  go: "-C",
  make: "-C -f -I -o -W --directory --file",
  mvn: "-f -pl -P -s -am --file --projects -T",
  gradle: "-p -x -b -I -c --tests --project-dir --exclude-task --init-script",
  just: "-f --justfile -d --working-directory",
  task: "-d -t --dir --taskfile",
  systemctl: "-M -H -t -n -p --type --state --lines --property",
  aws: "--profile --region --output --endpoint-url",
  "redis-cli": "-h -p -n -a -u --user --pass",
  adb: "-s -t",
  heroku: "-a --app",
  flyctl: "-a --app -c --config",
  xcodebuild: "-scheme -workspace -project -target -destination -configuration -sdk -derivedDataPath",
  dotnet: "-c --configuration",
  meson: "-C",
};

/** What tasks are called that only run tests, look at sources or tell of the build. */
const TASK =
  /^(?::?[\w-]+:)*(?:(?:unit|integration|smoke|e2e)?-?(?:tests?|specs?|checks?|e2e|lint|type-?check|types:check|tsc|verify)(?:[-:_][\w:-]*)?|(?:test|connected)\w*Test|dependency:(?:tree|list|analyze)|dependencies|tasks|projects|properties|validate|clean)$/;
const MENDING_TASK = /fix|updat|writ|deploy|record|publish|format|bless|watch/i;

/** Of these, the names of tests. */
const TEST_TASK = /tests?(?![a-z])|spec|e2e|^(?:check|verify)$/i;

function isTask(name: string): boolean {
  return TASK.test(name) && !MENDING_TASK.test(name);
}

function hasRow<T>(rows: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

function isListed(list: string | undefined, word: string): boolean {
  return word !== "" && !word.includes(" ") && ` ${list ?? ""} `.includes(` ${word} `);
}

/** The words that are no options, no values of these and no toolchain (`+nightly`), each with where it stands. */
function* positionals(program: string, args: readonly string[]): Generator<{ word: string; at: number }> {
  const valued = hasRow(VALUED, program);
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (isListed(valued, word)) at++;
    else if (!/^[-+]./.test(word)) yield { word, at };
  }
}

/** How many of the arguments one of the rows' entries takes up; undefined where none is said. */
function takeSubcommand(rows: Rows, program: string, args: readonly string[]): number | undefined {
  const entries = hasRow(rows, program)?.split(" ").map((entry) => entry.split("/"));
  if (!entries) return undefined;
  let open = entries;
  let depth = 0;
  for (const { word, at } of positionals(program, args)) {
    open = open.filter((parts) => parts[depth]?.split("|").includes(word));
    depth++;
    if (open.some((parts) => parts.length === depth)) return at + 1;
    if (open.length === 0) return undefined;
  }
  return undefined;
}

const WRITING_SQL =
  /\b(?:insert|update|delete|merge|into|create|drop|alter|truncate|grant|revoke|call|vacuum|reindex|attach|copy|refresh|lock)\b/i;
const READING_SQL = /^[(\s]*(?:select|show|explain|describe|desc|values|table|with|use)\b/i;
const META =
  /^(?:\\(?:d\w*[+]?|l[+]?|x|conninfo|timing|z|sf|sv|encoding)(?:\s|$)|\.(?:tables|schema|indexes|indices|databases|dbinfo|headers?|mode|stats|width|fullschema)(?:\s|$))/;

/** Whether each statement of a text in SQL is a question. */
function isQuery(text: string): boolean {
  const statements = text.replace(/'[^']*'/g, "''").replace(/--[^\n]*/g, "").split(";");
  return !text.includes("\0") && statements.every((raw) => {
    const statement = raw.trim();
    if (statement === "" || META.test(statement)) return true;
    if (/^pragma\b/i.test(statement)) return !statement.includes("=");
    return READING_SQL.test(statement) && !WRITING_SQL.test(statement);
  });
}

/** Whether a client of a database is given questions, and no more. */
function onlyAsks(program: string, args: readonly string[]): boolean {
  const texts: string[] = [];
  if (program === "sqlite3" || program === "duckdb") {
    const plain: string[] = [];
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? "";
      if (/^-?-(?:cmd|c)$/.test(arg)) texts.push(args[++at] ?? "?");
      else if (/^-?-(?:separator|nullvalue|newline)$/.test(arg)) at++;
      else if (/^-?-(?:init|f|s)$/.test(arg)) return false;
      else if (!arg.startsWith("-")) plain.push(arg);
    }
    texts.push(...plain.slice(1));
  } else {
    const option = program === "psql" ? /^(?:-[a-zA-Z]*c|--command)$/ : /^(?:-[NBstrE]*e|--execute)$/;
    const joined = /^--(?:command|execute)=([^]*)$/;
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? "";
      const text = joined.exec(arg)?.[1];
      if (text !== undefined) texts.push(text);
      else if (option.test(arg)) texts.push(args[++at] ?? "?");
      else if (program === "psql" && /^(?:-[a-zA-Z]*[foL]|--(?:file|output|log-file))(?:$|=)/.test(arg)) {
        return false;
      }
    }
  }
  return texts.length > 0 && texts.every(isQuery);
}

/** The options of curl, of one letter, that have a value. */
const CURL_VALUED = "AbCcDdEeFHhKmoPQrTtUuwXxYyz";
const CURL_LONG: Rows = {
  "--request": "X",
  "--output": "o",
  "--output-dir": "K",
  "--remote-name": "O",
  "--remote-name-all": "O",
  "--upload-file": "T",
  "--form": "F",
  "--form-string": "F",
  "--json": "T",
  "--get": "G",
  "--dump-header": "D",
  "--cookie-jar": "c",
  "--config": "K",
  "--quote": "Q",
};

/** The options of a curl command by their letters, each with its value. */
function* curlOptions(args: readonly string[]): Generator<{ letter: string; value: string }> {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg.startsWith("--")) {
      const [name = "", value] = arg.split(/=([^]*)/, 2);
      const letter = /^--data/.test(name) ? "d" : hasRow(CURL_LONG, name);
      if (letter !== undefined) yield { letter, value: value ?? args[at + 1] ?? "" };
    } else if (/^-[^-]/.test(arg)) {
      for (let of = 1; of < arg.length; of++) {
        const letter = arg.charAt(of);
        const rest = arg.slice(of + 1);
        const valued = CURL_VALUED.includes(letter);
        yield { letter, value: valued && rest === "" ? args[++at] ?? "" : rest };
        if (valued) break;
      }
    }
  }
}

/** Whether a curl command asks for something and keeps it nowhere. */
function onlyFetches(args: readonly string[]): boolean {
  const options = [...curlOptions(args)];
  const isGet = options.some(({ letter }) => letter === "G");
  return options.every(({ letter, value }) => {
    if (letter === "X") return /^(?:GET|HEAD|OPTIONS)$/i.test(value);
    if (letter === "d") return isGet;
    if (/[ocD]/.test(letter)) return /^(?:\/dev\/(?:null|stdout|stderr)|-|nul|\$null)$/i.test(value);
    return !/[OTFKQJ]/.test(letter);
  });
}

/** Whether a call of GitHub's interface asks only. */
function onlyAsksGithub(args: readonly string[]): boolean {
  const text = args.join(" ");
  if (/(?:^| )graphql(?: |$)/.test(text)) return !/\bmutation\b|--input/.test(text);
  const method = /(?:-X|--method)[ =]?([A-Za-z]+)/.exec(text)?.[1];
  if (method !== undefined) return /^(?:GET|HEAD)$/i.test(method);
  return !/(?:^| )(?:-[fF]|--(?:raw-)?field|--input)/.test(text);
}

/** Whether a client of a cloud says by its verb that it only asks. */
function onlyLooksUp(program: string, args: readonly string[]): boolean {
  const words = [...positionals(program, args)].map(({ word }) => word);
  if (program === "aws") {
    const verb = words[1] ?? "";
    return /^(?:describe|list|get|ls|head|lookup|search|batch-get|query|scan|filter|tail|simulate|validate)(?:-|$)/
      .test(verb) && verb !== "get-object";
  }
  const verb = words.findIndex((word) => /^(?:list|describe|show|get-[\w-]+|read|get|info)$/.test(word));
  return verb >= 0 &&
    !words.slice(0, verb).some((word) => /^(?:create|delete|update|set|add|remove)/.test(word));
}

/** Whether an archive is looked at and not unpacked. */
function onlyLists(args: readonly string[]): boolean {
  return /^-?[a-zA-Z]*t[a-zA-Z]*$/.test(args[0] ?? "") && !/[xcruA]/.test(args[0] ?? "");
}

/** What a script of a project does, told by its name. */
function deedOfScript(name: string, args: readonly string[]): Deed | undefined {
  if (!isTask(name) || args.some((arg) => ANY_WRITES.test(arg) || RECORDS.test(arg))) return undefined;
  return TEST_TASK.test(name) ? { kind: "tests", runner: `script ${name}`, args } : READS;
}

/** What a package manager's command does that runs a script, or a program of the project's. */
function deedOfManager(program: string, args: readonly string[]): Deed | undefined {
  const [first, second] = [...positionals(program, args)];
  if (!first) return undefined;
  const rest = args.slice(first.at + 1);
  if (program !== "bun" && program !== "deno" && /^(?:test|t|tst)$/.test(first.word)) {
    return deedOfScript("test", rest);
  }
  const runs = program === "deno" ? /^task$/ : /^(?:run|run-script)$/;
  const named = runs.test(first.word) ? second : program === "yarn" || program === "pnpm" ? first : undefined;
  if (!named) return undefined;
  const deed = deedOfScript(named.word, args.slice(named.at + 1));
  const isProgram = isListed(`${TESTERS} ${CHECKERS} tsc prettier`, named.word);
  return deed ?? (isProgram ? { kind: "runs", words: args.slice(named.at) } : undefined);
}

/** What a builder's command does: all its goals are tests or checks. */
function deedOfGoals(program: string, args: readonly string[]): Deed | undefined {
  const goals = [...positionals(program, args)].map(({ word }) => word).filter((word) =>
    !/=|^\d+$/.test(word)
  );
  if (goals.length === 0 || !goals.every(isTask)) return undefined;
  const tested = goals.filter((goal) => TEST_TASK.test(goal));
  if (tested.length > 0) {
    const filters = args.filter((arg, at) => args[at - 1] === "--tests" || arg.startsWith("-Dtest="));
    return { kind: "tests", runner: `${program} test`, args: filters };
  }
  return goals.includes("clean") ? undefined : READS;
}

const INTERPRETERS = "python node php ruby perl bash sh";

/** What an interpreter's command does that runs a module or a program of tests. */
function deedOfInterpreter(program: string, args: readonly string[]): Deed | undefined {
  const module = program === "python" ? args.indexOf("-m") : -1;
  if (module >= 0 && args.slice(0, module).every((arg) => /^-[^cm]/.test(arg))) {
    const name = args[module + 1] ?? "";
    const isKnown = isListed(`${TESTERS} ${CHECKERS} pip ruff black isort`, name);
    return isKnown
      ? { kind: "runs", words: args.slice(module + 1) }
      : name === "json.tool"
      ? READS
      : undefined;
  }
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  const options = at < 0 ? args : args.slice(0, at);
  if (program === "node" && options.includes("--test")) {
    if (args.includes("--test-update-snapshots")) return undefined;
    return { kind: "tests", runner: "node --test", args: at < 0 ? [] : args.slice(at) };
  }
  const name = (args[at] ?? "").replace(/^.*[\\/]/, "").replace(/\.[cm]?js$|\.phar$/, "");
  return isListed(TESTERS, name) ? { kind: "runs", words: [name, ...args.slice(at + 1)] } : undefined;
}

/** The command that a program runs for another, behind options and settings. */
function commandBehind(program: string, args: readonly string[], from: number): Deed | undefined {
  const dashes = args.indexOf("--", from);
  const valued = hasRow(VALUED, program);
  let at = from;
  while (at < args.length && /^(?:-|[A-Za-z_]\w*=)/.test(args[at] ?? "") && at !== dashes) {
    at += isListed(valued, args[at] ?? "") ? 2 : 1;
  }
  const words = args.slice(at === dashes ? at + 1 : at);
  return words.length === 0 ? undefined : { kind: "runs", words };
}

/** What a command does inside of a container or on another machine. */
function deedElsewhere(program: string, args: readonly string[]): Deed | undefined {
  const words = [...positionals(program, args)];
  if (program === "ssh") {
    const host = args.findIndex((arg, at) =>
      !arg.startsWith("-") && !/^-[iplFJoLRWbcmD]$/.test(args[at - 1] ?? "")
    );
    const text = host < 0 ? "" : args.slice(host + 1).join(" ");
    return text === "" ? undefined : { kind: "script", text };
  }
  if (program === "kubectl") {
    const dashes = args.indexOf("--");
    return words[0]?.word === "exec" && dashes >= 0
      ? { kind: "runs", words: args.slice(dashes + 1) }
      : undefined;
  }
  const exec = words[0]?.word === "compose" ? words[1] : words[0];
  if (exec?.word !== "exec") return undefined;
  let at = exec.at + 1;
  while (/^-/.test(args[at] ?? "")) {
    at += /^(?:-[uwe]|--(?:user|workdir|env|env-file|index))$/.test(args[at] ?? "") ? 2 : 1;
  }
  return at + 1 < args.length ? { kind: "runs", words: args.slice(at + 1) } : undefined;
}

/** What the command of a shell within a shell is. */
function deedOfShell(args: readonly string[]): Deed | undefined {
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (at < 0 || !args.slice(0, at).every((arg) => arg.startsWith("-"))) return undefined;
  const text = args[at + 1];
  return text === undefined ? undefined : { kind: "script", text };
}

/** Whether the argument stands there that makes a program a reader. */
function hasNeeded(program: string, args: readonly string[]): boolean {
  const needed = hasRow(NEEDS, program);
  if (!needed || args.some((arg) => ANY_WRITES.test(arg))) return false;
  const beside = hasRow(NEEDS_BESIDE, program);
  const [first] = positionals(program, args);
  if (beside !== undefined && first && first.word !== beside) return false;
  // What follows a script is the script's.
  const own = isListed(INTERPRETERS, program) ? args.slice(0, first?.at ?? args.length) : args;
  return own.some((arg) => needed.test(arg)) &&
    !own.some((arg) => isListed(INTERPRETERS, program) && /^-[a-z]*[cer]$/.test(arg) && !needed.test(arg));
}

/**
 * What a command does, told by its program, without folder and `.exe`, and its arguments; undefined where it is not
 * known to do no work. Takes linear time. Never throws.
 */
export function deedOf(name: string, args: readonly string[]): Deed | undefined {
  const program = hasRow(ALIKE, name) ?? name;
  const writes = hasRow(WRITES, program);
  if (args.some((arg) => ANY_WRITES.test(arg) || writes?.test(arg) === true)) return undefined;
  if (isListed(PROGRAMS, program)) return READS;
  if (isListed(REHEARSED, program) && args.some((arg) => REHEARSAL.test(arg))) return READS;
  if (isListed(TESTERS, program)) {
    return args.some((arg) => RECORDS.test(arg)) ? undefined : { kind: "tests", runner: program, args };
  }
  const tested = takeSubcommand(TESTS, program, args);
  if (tested !== undefined && !args.some((arg) => RECORDS.test(arg))) {
    return { kind: "tests", runner: `${program} test`, args: args.slice(tested) };
  }
  if (isListed(CHECKERS, program)) return args.some((arg) => MENDS.test(arg)) ? undefined : READS;
  if (takeSubcommand(SUBCOMMANDS, program, args) !== undefined || hasNeeded(program, args)) return READS;
  const runs = hasRow(RUNS, program);
  const ran = runs === "" ? 0 : takeSubcommand(RUNS, program, args);
  if (ran !== undefined) return commandBehind(program, args, ran);
  switch (program) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "deno":
      return deedOfManager(program, args);
    case "make":
    case "just":
    case "task":
    case "ninja":
    case "mvn":
    case "gradle":
      return deedOfGoals(program, args);
    case "python":
    case "node":
    case "php":
    case "ruby":
    case "perl":
      return deedOfInterpreter(program, args);
    case "bash":
    case "sh":
      return deedOfShell(args);
    case "docker":
    case "docker-compose":
    case "kubectl":
    case "ssh":
      return deedElsewhere(program, args);
    case "psql":
    case "mysql":
    case "sqlite3":
    case "duckdb":
      return onlyAsks(program, args) ? READS : undefined;
    case "curl":
      return onlyFetches(args) ? READS : undefined;
    case "gh":
      return args.includes("api") && onlyAsksGithub(args) ? READS : undefined;
    case "aws":
    case "gcloud":
    case "az":
      return onlyLooksUp(program, args) ? READS : undefined;
    case "tar":
    case "jar":
    case "ar":
      return onlyLists(args) ? READS : undefined;
    default:
      return undefined;
  }
}
