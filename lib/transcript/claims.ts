import { admits } from "./admissions.ts";
import { type Block, readProse, type Sentence, type Token } from "./prose.ts";

/** The words that say that work is over. */
export type Marker =
  | "done"
  | "complete"
  | "completed"
  | "finished"
  | "shipped"
  | "all tests pass"
  | "works now";

/** A marker used as a claim. */
export interface Claim {
  readonly marker: Marker;
  /** The sentence, item or cell that it stands in, as the message has it. */
  readonly sentence: string;
  /** Where the marker begins in the message, in UTF-16 units. */
  readonly start: number;
}

type Tokens = readonly Token[];

/**
 * Whether a word is one of some, told with a space between. A hook asks most of these once: an expression for each would
 * have to be compiled first.
 */
function oneOf(word: string, list: string): boolean {
  for (let at = list.indexOf(word); at >= 0 && word !== ""; at = list.indexOf(word, at + 1)) {
    const after = at + word.length;
    if ((at === 0 || list[at - 1] === " ") && (after === list.length || list[after] === " ")) return true;
  }
  return false;
}

const setOf = (words: string) => new Set(words.split(" "));

/** The words that the judgments rest on, by the part they play. */
function makeLexicon() {
  return {
    markers: setOf("done complete completed finished shipped"),
    /** May stand before a marker that stands alone. */
    openers: setOf(
      "ok okay great perfect excellent alright right yes yep yeah and so all now everything then good nice 100% awesome woohoo hooray finally also successfully just both it ready",
    ),
    /** May stand between a verb and its marker. */
    adverbs: setOf(
      "now all both already also just finally successfully fully completely totally entirely officially each indeed therefore thus hereby since actually really 100% too currently again formally properly safely cleanly",
    ),
    /** May follow a marker that ends its clause. */
    tails: setOf("and now too successfully already again here everywhere also today tonight so"),
    /** Names the subject by its place in a list or a condition: what hangs on it is not so, or not yet. */
    conditions: setOf(
      "if when whenever once until till unless before after soon assuming provided providing whether otherwise except excluding apart aside besides depending pending lest",
    ),
    ahead: setOf(
      "will shall should would could might may must ought gonna next todo todos remains remaining remain left need needs needed tomorrow later planned plan plans yet eventually upcoming wip progress",
    ),
    negators: setOf("not never none neither nor nobody cannot hardly barely scarcely nowhere nothing"),
    hedges: setOf(
      "basically essentially practically virtually probably maybe perhaps hopefully presumably supposedly apparently theoretically theory likely possibly technically partial partially partly mostly nearly almost largely halfway mainly roughly percent reportedly allegedly seemingly tentatively provisionally",
    ),
    /** Amounts that are not the whole, and times that come again, where they stand in the marker's clause or before it. */
    amounts: setOf(
      "part most half majority third thirds quarter quarters always usually often typically normally sometimes periodically nightly daily",
    ),
    /** As a subject's number they name a part. */
    parts: setOf("some several few many only first far incomplete unfinished todo un"),
    troubles: setOf(
      "error errors fail fails failed failing failure failures broken breaks crash crashes crashed exception exceptions blocked blocker blockers stuck missing lost corrupt corrupted unresolved incomplete unfinished",
    ),
    /** Troubles that may be a clause's verb. */
    finite: setOf("fail fails failed breaks crash crashes crashed"),
    remedies: setOf(
      "fix fixed fixes fixing resolve resolves resolved resolving repair repairs repaired repairing handle handles handled handling recover recovers recovered recovering remove removes removed removing corrects corrected correcting patch patches patched patching hotfix eliminate eliminates eliminated eliminating addresses addressed addressing replace replaces replaced replacing prevent prevents prevented preventing avoid avoids avoided avoiding cleanup",
    ),
    /** Remedies of what is missing or lost. */
    supplies: setOf(
      "add adds added adding restore restores restored restoring fill fills filled filling supply supplies supplied",
    ),
    /** Say that what follows is no longer so. */
    once: setOf("previously formerly"),
    /** What one does with what stays broken. */
    leaving: setOf(
      "skip skipped skipping ignore ignored ignoring list listed listing leave left leaving drop dropped dropping omit omitted omitting log logged logging report reported reporting disable disabled disabling quarantined marked collected counted found find recorded noted flagged moved copied kept",
    ),
    /** Of what "no" may say that all is well. */
    benign: setOf(
      "error errors fail fails failed failing failure failures issue issues regression regressions warning warnings problem problems conflict conflicts crash crashes exception exceptions diff diffs change changes changed skip skips skipped flakes flaky remaining left todo todos need needed breaking broken outstanding pending blockers missing leftovers leftover unverified untested lost corrupted",
    ),
    contrasts: setOf(
      "but however though although albeit modulo except excluding yet despite still minus rest only unfortunately sadly alas",
    ),
    /** Words that make what stands behind them somebody's view, wish or question. */
    views: setOf(
      "think thinks thought believe believes believed guess suppose expect expects expected hopes hoping assume assumes assumed seem seems seemed appear appears appeared consider considers considered marked marking called treat treats treated deem deems deemed declare declares declared declaring say says said saying claimed claiming pretend pretends waiting ensure ensures ensuring sure please wants wanted wish require requires required implies suggest suggests suggesting wonder suspect doubt unclear unsure told tells be being becomes become became how which who whose where why",
    ),
    /** The same, where a clause follows: these may also be nouns, or verbs with another object. */
    speech: setOf(
      "hope look looks looked sounds mark marks call calls report reports reported reporting claim claims means wait waits make makes making want get gets getting keep keeps let lets help show shows showed showing print prints printed printing display displays displayed return returns returned read reads write writes wrote log logs logged output outputs emit emits try tries trying tried attempt set sets imply states stated tell ask stay remain see sees",
    ),
    /** Words of a label that make what follows it a text, a value or a wish. */
    labels: setOf(
      "says said prints printed shows showed logs logged outputs reads returns returned emits emitted displays displayed wrote writes replies replied answers answered reported reports message output example examples values states reply respond type enter goal aim criteria criterion condition requirement definition instance titled named called labelled labeled sure ensure ensures expect expected want wants should whether how why which who until please e.g",
    ),
    /** Words that a noun phrase of a short report does not hold. */
    notNouns: setOf(
      "i we you he she they it this that these those there what how why when who is are was were be been being am has have had do does did can could will would shall should may might must to as than by at well nicely easier once over never please get getting make let not no or if so very too more less auto tab turing np est ist sind sont está são è à não nicht also just simply then yet mark marks marked consider considered call declare treat deem",
    ),
    /** Reading and writing about it: no end-user test could prove that it was done well. */
    studies: setOf(
      "analysis analyses investigation review audit research exploration scan profiling draft plan planning summary report survey comparison triage diagnosis inspection assessment evaluation study reading walkthrough inventory brainstorming proposal outline roadmap estimate estimation test benchmark measurement measurements experiment experiments trial sketch concept wireframe wireframes design read-through postmortem write-up writeup root-cause deep-dive",
    ),
    /** What a percentage may measure, other than work. */
    measures: setOf(
      "coverage size time memory cpu speed usage load traffic score accuracy latency faster slower smaller larger bigger less fewer more width height opacity zoom discount rate shrank grew dropped rose",
    ),
    /** What it may have cost to do the work. */
    efforts: setOf(
      "tricky hard difficult harder trickier tedious fiddly painful complicated complex challenging work longer",
    ),
    /** What people are given to do. */
    tasks: setOf("work task tasks request requests change changes item items ticket tickets todo todos"),
    /** What programs do: "the build finished" tells an event. */
    events: setOf(
      "agent subagent build builds compile compilation download upload job jobs run process command script pipeline query scan container workflow request handshake boot calibration benchmark server sync thread worker transaction call response",
    ),
    runs: setOf(
      "payment payments order orders checkout login signup registration purchase transfer transfers session sessions fetch parse rendering validation lookup",
    ),
    determiners: setOf(
      "the a an all both this that these those my your our its their every each everything what his her another",
    ),
    /** What people make and hand over. */
    works: setOf(
      "release hotfix patch fix redesign feature rewrite upgrade refactor refactoring migration port rename translation translations implementation integration beta",
    ),
    past: setOf("yesterday ago previously earlier past according"),
    numbers: setOf("one two three four five six seven eight nine ten eleven twelve"),
    offers: setOf(
      "want like need prefer have see notice find run hit spot let tell say shout ping feel happy please ask know anything",
    ),
  };
}

let lexicon: ReturnType<typeof makeLexicon> | undefined;

function words(): ReturnType<typeof makeLexicon> {
  return lexicon ??= makeLexicon();
}

const isMark = (token: Token | undefined, texts: string) =>
  token?.kind === "mark" && texts.includes(token.text);
const isSymbol = (token: Token | undefined) =>
  token === undefined || token.kind === "mark" || token.kind === "emoji";

/** Where an offer or a wish begins behind the marker, as in "Done, let me know if …": what follows says nothing about it. */
function offerAt(tokens: Tokens, from: number): number {
  const { offers } = words();
  for (let at = from; at < tokens.length - 1; at++) {
    if (!isMark(tokens[at], ",;:-(") && tokens[at]!.text !== "and") continue;
    const first = tokens[at + 1]!.text;
    if (oneOf(first, "let tell just say shout ping feel happy please ask")) return at;
    if (first === "if" && tokens[at + 2]?.text === "you") {
      const verb = tokens[at + 3]?.text ?? "";
      if (verb === "would" || verb === "'d" || offers.has(verb)) return at;
    }
  }
  return tokens.length;
}

/** The fraction that begins at a token names less than the whole. */
function isFraction(tokens: Tokens, at: number): boolean {
  const { numbers } = words();
  const isNumber = (token: Token | undefined) =>
    token !== undefined && (token.kind === "number" || numbers.has(token.text));
  const { text } = tokens[at]!;
  if (/^\d+\/\d+$/.test(text)) return text.split("/")[0] !== text.split("/")[1];
  if (!isNumber(tokens[at])) {
    return text === "out" && tokens[at + 1]?.text === "of" && isNumber(tokens[at + 2]);
  }
  let to = at + 1;
  if (tokens[to]?.text === "out") to++;
  if (tokens[to]?.text !== "of") return false;
  while (oneOf(tokens[to]?.text ?? "", "of the these those your our my all")) to++;
  return isNumber(tokens[to]) && tokens[to]?.text !== text;
}

/** "two of the chapters", but not "all two of the" */
function isShare(tokens: Tokens, at: number): boolean {
  const { kind, text } = tokens[at]!;
  return (kind === "number" || words().numbers.has(text)) && tokens[at + 1]?.text === "of" &&
    oneOf(tokens[at + 2]?.text ?? "", "the these those your our my its them") &&
    !oneOf(tokens[at - 1]?.text ?? "", "all the");
}

/** "six are open", behind "four items are finished" */
function isRestCounted(tokens: Tokens, at: number): boolean {
  const { numbers, markers } = words();
  const { kind, text } = tokens[at]!;
  const predicate = tokens[at + 2]?.text ?? "";
  const isCount = (kind === "number" && /^[\d,]+$/.test(text)) || numbers.has(text);
  if (!isCount || !oneOf(tokens[at + 1]?.text ?? "", "is are")) return false;
  const previous = tokens[at - 1];
  // "port 8080 is free" counts nothing.
  const isCounted = isSymbol(previous) ||
    oneOf(previous!.text, "and but the other remaining last only while where of these those");
  return previous?.text !== "all" && !markers.has(predicate) &&
    (isCounted || oneOf(predicate, "open pending waiting up in being under"));
}

/** The indexes of tokens that say that all is well: "no errors", "nothing else to do". */
function soothing(tokens: Tokens): Set<number> {
  const { benign, finite } = words();
  const calm = new Set<number>();
  for (const [at, { text }] of tokens.entries()) {
    calmBygone(tokens, at, calm);
    calmContrast(tokens, at, calm);
    // "that should do it", "it never fails on empty input"
    if (text === "should" && oneOf(tokens[at + 1]?.text ?? "", "do fix solve")) {
      if (oneOf(tokens[at + 2]?.text ?? "", "it the")) calm.add(at);
    }
    if (oneOf(text, "never not cannot")) {
      for (let to = at + 1; to <= at + 2; to++) {
        const next = tokens[to]?.text ?? "";
        if (finite.has(next) || oneOf(next, "break crash throw throws leak leaks hang hangs")) {
          calm.add(at).add(to);
        }
      }
    }
    const opens = text === "no" || text === "without" || text === "zero" || text === "0" ||
      text === "nothing" || text === "none";
    if (!opens) continue;
    for (let to = at + 1; to <= at + 4 && to < tokens.length && !isMark(tokens[to], ",;:-("); to++) {
      const next = tokens[to]!.text;
      const ends = benign.has(next) || ((text === "nothing") && oneOf(next, "else more further remains"));
      if (!ends) continue;
      for (let index = at; index <= to; index++) calm.add(index);
      // "no errors or warnings", "nothing left to do"
      for (let more = to + 1; more <= to + 3; more++) {
        if (benign.has(tokens[more]?.text ?? "") || oneOf(tokens[more]?.text ?? "", "to do be")) {
          calm.add(more);
        }
      }
    }
  }
  return calm;
}

/** Spares a negation of what was once so: "which is not used any more", "nothing depends on it any longer". */
function calmBygone(tokens: Tokens, at: number, calm: Set<number>): void {
  const { negators } = words();
  const { text } = tokens[at]!;
  const isBygone = text === "anymore" ||
    (text === "any" && oneOf(tokens[at + 1]?.text ?? "", "more longer") && isSymbol(tokens[at + 2]));
  if (!isBygone) return;
  for (let to = at - 1; to >= 0 && at - to < 8 && !isMark(tokens[to], ",;:-()"); to--) {
    if (!negators.has(tokens[to]!.text)) continue;
    for (let index = to; index < at; index++) calm.add(index);
    return;
  }
}

/** Spares a contrast that tells of the effort or of more work: "although it was tricky", "but I also cleaned up". */
function calmContrast(tokens: Tokens, at: number, calm: Set<number>): void {
  const { efforts } = words();
  if (!oneOf(tokens[at]!.text, "but although though")) return;
  const texts = [1, 2, 3, 4, 5].map((step) => tokens[at + step]?.text ?? "");
  const [subject = "", verb = "", ...then] = texts;
  const isEffort = oneOf(subject, "it this that") &&
    (verb === "took" || (oneOf(verb, "was turned") && then.some((text) => efforts.has(text))));
  if (isEffort || (oneOf(subject, "i we") && verb === "also")) calm.add(at);
}

/** "that were failing before", "than it was before": when that was, to which something is compared. */
function isBygoneTime(tokens: Tokens, at: number): boolean {
  if (!oneOf(tokens[at]!.text, "before earlier previously") || !isClauseEnd(tokens[at + 1])) return false;
  let isPast = false;
  for (let to = at - 1; to >= 0 && at - to < 9 && !isMark(tokens[to], ",;:-()"); to--) {
    const { text } = tokens[to]!;
    if (isPast && oneOf(text, "that which than as what where")) return true;
    isPast ||= oneOf(text, "was were had did used took needed went came") || /[a-z]{2}ed$/.test(text);
  }
  return false;
}

const isClauseEnd = (token: Token | undefined) => isSymbol(token) || token!.text === "and";

/** "errors from the server show up in a toast", "missing keys fall back": what a program does about what it meets. */
function isShown(tokens: Tokens, at: number): boolean {
  const isMissing = tokens[at]!.text === "missing";
  if (!isMissing && !oneOf(tokens[at]!.text, "error errors exceptions failures")) return false;
  let shows = false;
  for (let to = at + 1; to < at + 12 && to < tokens.length && !isMark(tokens[to], ",;:-()"); to++) {
    const { text } = tokens[to]!;
    if (isMissing && /^(?:falls?|defaults?)$/.test(text)) return true;
    if (
      oneOf(text, "caught shown handled retried surfaced displayed mapped wrapped translated rejected") &&
      oneOf(tokens[to - 1]!.text, "is are now get gets")
    ) return true;
    shows ||= oneOf(text, "show shows appear appears pop pops surface surfaces land go");
    if (shows && /^(?:toasts?|banners?|dialogs?|snackbars?|modals?|inline|alerts?)$/.test(text)) return true;
  }
  return false;
}

/** Whether "still" tells of what the program keeps: "old links still work", not of what stays to be done. */
function isKept(tokens: Tokens, at: number): boolean {
  const next = tokens[at + 1]?.text ?? "";
  return oneOf(next, "pass passing passed work works accepted supported used valid") ||
    (next === "in" && tokens[at + 2]?.text === "use");
}

/** Whether "rest" is what is left, not the way that programs talk: "the rest is open", but not "from REST to GraphQL". */
function isRemainder(tokens: Tokens, at: number): boolean {
  const next = tokens[at + 1];
  const goesOn = isSymbol(next) || oneOf(next!.text, "of is are was has can comes follows waits");
  const previous = tokens[at - 1];
  return oneOf(previous?.text ?? "", "the all") &&
      !/^(?:apis?|endpoints?|clients?|service|layer|interface|routes?|controllers?|handlers?|calls?|backend|server|resources?|gateway)$/
        .test(next?.text ?? "") ||
    (isSymbol(previous) || oneOf(previous!.text, "and but")) && goesOn;
}

/** Where the clause begins that holds a token: behind the last mark or "but". */
function clauseStart(tokens: Tokens, at: number): number {
  let start = at;
  while (start > 0 && !isMark(tokens[start - 1], ",;:-()") && tokens[start - 1]!.text !== "but") start--;
  return start;
}

/** The trouble at a token, or the word that says when it was, tells of what was, or was repaired: "the typings that were missing". */
function isOver(tokens: Tokens, at: number): boolean {
  const { troubles, once } = words();
  const { text } = tokens[at]!;
  if (isBygoneTime(tokens, at) || isShown(tokens, at)) return true;
  // "the previously broken links"
  if (once.has(text)) return troubles.has(tokens[at + 1]?.text ?? "");
  if (!troubles.has(text)) return false;
  // "I had an off-by-one error"
  for (let to = at - 1; to > 0 && at - to < 5; to--) {
    if (oneOf(tokens[to]!.text, "had made") && oneOf(tokens[to - 1]!.text, "i we")) return true;
  }
  // "the two that failed before"
  if (oneOf(tokens[at - 1]?.text ?? "", "that which") && /ed$/.test(text) && tokens[at + 1]) {
    return isBygoneTime(tokens, at + 1);
  }
  return once.has(tokens[at - 1]?.text ?? "") || isRepaired(tokens, at) || isRelative(tokens, at) ||
    isPurpose(tokens, at);
}

/** "the fix for the failing test", "removes the error" */
function isRepaired(tokens: Tokens, at: number): boolean {
  const { remedies, supplies } = words();
  for (let to = at - 1; to >= 0 && at - to <= 6; to--) {
    const { kind, text } = tokens[to]!;
    // "the patch fails" is no trouble that it repairs.
    if (remedies.has(text)) return !isVerb(tokens, at) || oneOf(tokens[at - 1]!.text, "that which");
    // A failing test that was added is no repair.
    if (supplies.has(text)) return oneOf(tokens[at]!.text, "missing lost");
    if (oneOf(text, "is are 's 're was were still now but while has have with")) return false;
    if (kind === "mark") return false;
  }
  return false;
}

/** Whether a trouble is its clause's verb: "the patch fails", not "the crash". */
function isVerb(tokens: Tokens, at: number): boolean {
  return words().finite.has(tokens[at]!.text) &&
    !oneOf(tokens[at - 1]?.text ?? "", "the a an this that any every each rare old same");
}

/** How far back in a sentence it is looked what a trouble belongs to: what is judged may be one endless heading. */
const REACH = 60;

/** "the typings that were missing", "the call that kept failing", "the page, which used to crash" */
function isRelative(tokens: Tokens, at: number): boolean {
  const { leaving } = words();
  let to = at - 1;
  while (to > 0 && at - to < 4 && oneOf(tokens[to]!.text, "been long all both always once being")) to--;
  if (tokens[to]?.text === "to" && tokens[to - 1]?.text === "used") to--;
  else if (!oneOf(tokens[to]?.text ?? "", "was were had kept")) return false;
  to--;
  if (!oneOf(tokens[to]?.text ?? "", "that which")) return false;
  if (tokens.slice(Math.max(0, to - REACH), to).some(({ text }) => leaving.has(text))) return false;
  to--;
  if (isMark(tokens[to], ",")) to--;
  // Of "12 rows that were lost" nobody has said before that they would be made good.
  for (let back = to; back >= 0 && to - back < 8; back--) {
    const { kind, text } = tokens[back]!;
    if (oneOf(text, "the this these those all both our your its my every")) return true;
    if (kind === "mark" || oneOf(text, "with in on at and but without for to from")) return false;
  }
  return false;
}

/** "the recovery path for the crash", in the marker's own clause. */
function isPurpose(tokens: Tokens, at: number): boolean {
  const { markers } = words();
  if (isVerb(tokens, at)) return false;
  let to = at - 1;
  while (to > 0 && at - to < 4 && !oneOf(tokens[to]!.text, "the this that these those your our its")) to--;
  // "the page for lost passwords"
  if (oneOf(tokens[at - 1]?.text ?? "", "for against")) to = at;
  if (!oneOf(tokens[to - 1]?.text ?? "", "for against behind about from of around")) return false;
  if (oneOf(tokens[to - 2]?.text ?? "", "save but except because out not")) return false;
  for (let back = to - 2; back >= 0 && to - back < REACH; back--) {
    const { text } = tokens[back]!;
    if (markers.has(text)) return true;
    if (isMark(tokens[back], ",;:-()") || text === "but") return false;
  }
  return false;
}

/** Whether a percentage is of the work: not all of it, and no measure of something else ("shrank by 18 %"). */
function isShareOfWork(tokens: Tokens, at: number): boolean {
  const { measures } = words();
  const number = tokens[at]!.text === "%" ? at - 1 : at;
  if (oneOf(tokens[number]?.text ?? "", "100 100%")) return false;
  if (tokens[number - 1]?.text === "by") return false;
  return !tokens.slice(clauseStart(tokens, at), at + 3).some(({ text }) => measures.has(text));
}

/** "(92 %)", ": about 92 %": an amount that is all of its clause belongs to the one before it. */
function isClause(tokens: Tokens, at: number): boolean {
  return isSymbol(tokens[at + 1]) && at - clauseStart(tokens, at) <= 2;
}

/** "By the docs the API is complete", "From the log, …": somebody's word. */
function isSourced(tokens: Tokens): boolean {
  return oneOf(tokens[0]!.text, "by per from following") &&
    tokens.slice(1, 5).some(({ text }) =>
      oneOf(text, "docs documentation readme log logs changelog runbook wiki board tracker history ticket")
    );
}

/** What seems to look ahead, but is the work: "all tasks in the plan", "the remaining tasks", "completed the TODOs" */
function isWhole(tokens: Tokens, at: number): boolean {
  const { markers } = words();
  const { text } = tokens[at]!;
  const [second = "", first = ""] = [tokens[at - 1]?.text, tokens[at - 2]?.text];
  const isDefinite = oneOf(second, "the all your these those both my our this that");
  if (oneOf(text, "plan plans") && isDefinite) {
    const next = tokens[at + 1];
    // "the plan picker"
    if (
      next?.kind === "word" && !markers.has(next.text) && !oneOf(next.text, "is are was has to for of in and")
    ) return true;
    return oneOf(first, "in of from on per with");
  }
  if (oneOf(text, "todo todos") && markers.has(first)) return isDefinite;
  if (text === "remaining" ? tokens[at + 1]?.kind !== "word" : text !== "todos") return false;
  if (!isDefinite) return false;
  // As the object of the marker, or as the subject of its clause.
  for (let to = at - 2; to >= 0 && at - to < 4; to--) if (markers.has(tokens[to]!.text)) return true;
  for (let to = at + 1; to < tokens.length && to - at < 10 && !isMark(tokens[to], ",;:-()"); to++) {
    if (markers.has(tokens[to]!.text)) return true;
  }
  return false;
}

/** "the feature you asked about yesterday" */
function isAskedFor(tokens: Tokens, at: number): boolean {
  for (let to = at - 1; to > 0 && at - to < 5 && !isMark(tokens[to], ",;:-()"); to--) {
    if (oneOf(tokens[to]!.text, "you we i") && /ed$/.test(tokens[to + 1]?.text ?? "")) return to < at - 1;
  }
  return false;
}

/** "Done, the server refuses to start if a key is missing": a condition in what follows, told of the program. */
function isProductCondition(tokens: Tokens, at: number): boolean {
  const { ahead, contrasts, negators } = words();
  if (!oneOf(tokens[at]!.text, "if when whenever unless until once before after")) return false;
  let start = clauseStart(tokens, at);
  if (start < 2) return false;
  while (start < at && oneOf(tokens[start]!.text, "and so then now also")) start++;
  if (at - start < 3) return false;
  const clause = tokens.slice(start, at);
  const isSubject = clause[0]!.kind === "thing" ||
    oneOf(clause[0]!.text, "the a an it its this that these all each every they") ||
    // "images are loaded when they scroll into view"
    (/[a-z]{2}s$/.test(clause[0]!.text) && oneOf(clause[1]!.text, "are have can get"));
  if (!isSubject) return false;
  return !clause.some(({ text }) =>
    ahead.has(text) || contrasts.has(text) || negators.has(text) || oneOf(text, "i we you rest test tests")
  ) && clause.slice(1).some(({ text }) => oneOf(text, "is are has can") || /[a-z]{2}s$/.test(text));
}

/** What in a sentence keeps its markers from being claims: indexes of tokens, by whom they block. */
interface Blocks {
  /** Those that block every marker of the sentence. */
  readonly anywhere: readonly number[];
  /** Those that block markers behind them, and those before them. */
  readonly before: readonly number[];
  readonly behind: readonly number[];
  /** Those that block the markers of their own clause, and those behind it. */
  readonly near: readonly number[];
}

function blocksOf(tokens: Tokens): Blocks {
  const lexicon = words();
  const calm = soothing(tokens);
  const anywhere: number[] = [];
  const before: number[] = [];
  const behind: number[] = [];
  const near: number[] = [];
  if (isSourced(tokens)) anywhere.push(0);
  let supposed = -1;
  for (const [at, token] of tokens.entries()) {
    if (isMark(token, ",;:-()")) supposed = -1;
    if (token.kind === "mark" || calm.has(at)) continue;
    if (isOver(tokens, at)) continue;
    if (supposed < 0 && isProductCondition(tokens, at)) supposed = at;
    if (supposed >= 0) {
      near.push(at);
      continue;
    }
    const { text } = token;
    const previous = tokens[at - 1]?.text ?? "";
    const next = tokens[at + 1]?.text ?? "";
    if (token.kind === "emoji") {
      if (/[❌⏳⌛🚧⬜☐🔲⚠🔴🟡🟠🔄✗✘🛑⛔❓🔜]/u.test(text)) anywhere.push(at);
      else if (text === "%" && isShareOfWork(tokens, at)) (isClause(tokens, at) ? anywhere : near).push(at);
    } else if (lexicon.negators.has(text)) {
      if (!(text === "not" && next === "only")) anywhere.push(at);
    } else if (text === "no") {
      if (at + 1 === tokens.length || isMark(tokens[at + 1], ",;:-.)")) anywhere.push(at);
      else before.push(at);
    } else if (lexicon.conditions.has(text)) {
      // "faster than before", "after a lot of debugging"
      if (text === "before" && oneOf(previous, "than as like")) continue;
      if (
        !(text === "after" && oneOf(next, "some much several many") ||
          text === "after" && next === "a" && oneOf(tokens[at + 2]?.text ?? "", "lot bit few"))
      ) {
        anywhere.push(at);
      }
    } else if (oneOf(text, "long far") && oneOf(next, text === "long" ? "as" : "from as")) anywhere.push(at);
    else if (text === "so" && next === "far") anywhere.push(at);
    else if (text === "so" && next === "that") before.push(at);
    else if (text === "case" && previous === "in") anywhere.push(at);
    // "done, more or less", "done, I hope", "done in the sense that it compiles"
    else if (text === "less" && previous === "or") anywhere.push(at);
    else if (text === "hope" && oneOf(previous, "i we")) anywhere.push(at);
    else if (text === "sense" && tokens[at - 2]?.text === "in") anywhere.push(at);
    else if (text === "other" && next === "than") anywhere.push(at);
    else if (text === "going" && next === "to" || text === "to" && next === "be") anywhere.push(at);
    else if (text === "to" && next === "do") anywhere.push(at);
    else if (lexicon.ahead.has(text)) {
      const isName =
        oneOf(text, "todo todos") && /^(?:list|app|item|board|page|comment|view)s?$/.test(next) ||
        isWhole(tokens, at);
      const isPast = text === "left" && oneOf(previous, "i we 've have and was") ||
        // "needs no migration"
        oneOf(text, "need needs") && next === "no";
      // "Overall progress: complete"
      const isHead = text === "progress" && isMark(tokens[at + 1], ":-");
      if (!isPast && !isName && !isHead) anywhere.push(at);
    } else if (text.endsWith("%")) {
      if (isShareOfWork(tokens, at)) (isClause(tokens, at) ? anywhere : near).push(at);
    } else if (lexicon.hedges.has(text) || isFraction(tokens, at)) anywhere.push(at);
    else if (
      text === "first" &&
      oneOf(next, "pass half part draft cut version step round batch slice iteration stage two three few of")
    ) {
      anywhere.push(at);
    } else if (text === "at" && next === "least" || oneOf(text, "kind sort") && next === "of") {
      anywhere.push(at);
    } else if (lexicon.parts.has(text)) { if (previous !== "after") before.push(at); }
    else if (
      lexicon.amounts.has(text) || isShare(tokens, at) ||
      (oneOf(text, "little much few lots") && next === "of")
    ) near.push(at);
    // "the epic is complete, says the board"
    else if (oneOf(text, "says said") && isMark(tokens[at - 1], ",")) anywhere.push(at);
    else if (isRestCounted(tokens, at)) behind.push(at);
    if (lexicon.troubles.has(text)) {
      const isName = oneOf(text, "error crash") && tokens[at + 1]?.kind === "word" &&
        !oneOf(next, "in on at is was and or from when included remains persists occurs shows appears stays");
      if (oneOf(text, "fail fails failed broken crashes crashed blocked stuck")) anywhere.push(at);
      else if (!isName) behind.push(at);
    }
    if (text === "known" && /^(?:bug|issue|problem|limitation|gap)s?$/.test(next)) behind.push(at);
    if (lexicon.contrasts.has(text) && (text !== "rest" || isRemainder(tokens, at))) {
      // "all tests still pass"
      if (!(text === "still" && isKept(tokens, at))) behind.push(at);
    }
    if (lexicon.past.has(text) && !isAskedFor(tokens, at)) anywhere.push(at);
    // "As the log shows, …"
    if (
      tokens[0]!.text === "as" &&
      oneOf(text, "shows says reads states reports claims suggests told said wrote")
    ) {
      anywhere.push(at);
    }
    // What was over some time ago, or is so again and again, is no news of this work.
    if (text === "last" && /^(?:week|month|year|night|time|sprint|release|[a-z]+day)$/.test(next)) {
      anywhere.push(at);
    }
    if (
      oneOf(text, "every each") &&
      oneOf(
        next,
        "night day week hour time request call minute second month year run",
      )
    ) {
      anywhere.push(at);
    }
  }
  return { anywhere, before, behind, near };
}

/** A sentence made ready to be judged. */
interface Judged {
  readonly message: string;
  readonly tokens: Tokens;
  readonly blocks: Blocks;
}

function isBlocked({ tokens, blocks }: Judged, from: number, to: number): boolean {
  const offer = blocks.anywhere.length + blocks.behind.length > 0 ? offerAt(tokens, to) : tokens.length;
  return blocks.anywhere.some((at) => at < offer) || (blocks.before[0] ?? Infinity) < from ||
    blocks.behind.some((at) => at > to && at < offer) ||
    blocks.near.some((at) => at < from || clauseStart(tokens, at) <= to);
}

/** Whether somebody's word, wish or view stands between two tokens of a clause. */
function isReported(tokens: Tokens, from: number, to: number): boolean {
  const { views, speech } = words();
  for (let at = from; at < to; at++) {
    const { text } = tokens[at]!;
    const next = tokens[at + 1];
    // "I'm happy to say that it is done"
    if (oneOf(text, "say report") && oneOf(tokens[at - 2]?.text ?? "", "happy glad pleased proud")) {
      continue;
    }
    if (views.has(text)) return true;
    if (
      oneOf(text, "glad happy pleased relieved delighted nice") &&
      oneOf(next?.text ?? "", "it that this the your everything you")
    ) return true;
    if (oneOf(text, "know hear see learn read") && tokens[at - 1]?.text === "to") return true;
    if (
      speech.has(text) && next !== undefined &&
      (next.kind === "thing" ||
        oneOf(
          next.text,
          "that it this these those the a all everything they him her them me us as we you i its your our until for like something when",
        ))
    ) return true;
    // "what you asked for is done"
    if (text === "what" && !oneOf(next?.text ?? "", "you we")) return true;
    // "I understand that the", but not "I confirmed that the", nor "all that you asked for"
    if (
      text === "that" && at > from &&
      oneOf(next?.text ?? "", "the a all every everything it this these my our your both each") &&
      !oneOf(tokens[at - 1]!.text, "confirm confirmed verified checked say report note")
    ) return true;
    if (
      oneOf(text, "check verify confirm") && !oneOf(tokens[at - 1]?.text ?? "", "can i we to the a")
    ) {
      return true;
    }
  }
  return false;
}

/** Whether a label makes what follows it a text, a value or a wish. */
function isLabelOfText(tokens: Tokens, to: number): boolean {
  const { labels } = words();
  return tokens.slice(0, to).some(({ text }, at) =>
    labels.has(text) ||
    // "here is what I did", "what changed"
    (text === "what" && tokens[0]!.text !== "here" &&
      !oneOf(tokens[at + 1]?.text ?? "", "changed i we")) ||
    (oneOf(text, "status state") && oneOf(tokens[at - 1]?.text ?? "", "set the mark change"))
  );
}

/** Whether a marker's clause ends behind it, or goes on in a way that keeps it the clause's verdict. */
function isTail(tokens: Tokens, at: number, marker: string): boolean {
  const token = tokens[at];
  if (isSymbol(token)) return true;
  const { tails } = words();
  const next = tokens[at + 1]?.text ?? "";
  const { text } = token!;
  if (tails.has(text)) return true;
  if (text === "as") {
    return oneOf(
      next,
      "requested planned expected described discussed specified asked agreed you well intended designed",
    );
  }
  if (text === "with" && marker !== "shipped") {
    return /^(?:all|no|zero|full|everything|the|\d+)$/.test(next);
  }
  if (text === "end-to-end" || text === "end") return true;
  if (text === "without") return true;
  if (marker === "complete" || marker === "completed" || marker === "finished") {
    // "in both files" says where; "in chunks", "at start" say how or when.
    const then = tokens[at + 1];
    return oneOf(text, "in on for across") && then !== undefined &&
      (then.kind === "thing" || (text === "for" && then.capital) ||
        oneOf(next, "both all the this that these every each my your our main master production staging"));
  }
  if (marker === "shipped") {
    return text === "to" &&
      oneOf(next, "production prod main master staging users customers everyone all npm pypi");
  }
  // "on each start" says when.
  return oneOf(text, "for across") && oneOf(next, "every each") ||
    oneOf(text, "for on in across") && oneOf(next, "all both");
}

/** Steps back over adverbs from an index; the index of the first that is none, -1 at the sentence's beginning. */
function backOver(tokens: Tokens, at: number): number {
  const { adverbs } = words();
  let to = at;
  while (
    to >= 0 && at - to < 6 &&
    (adverbs.has(tokens[to]!.text) || tokens[to]!.kind === "emoji" ||
      (tokens[to]!.text === "100" && tokens[to + 1]?.text === "%"))
  ) to--;
  return to;
}

/** The same, also over what was done before: "is implemented, documented and done". */
function backOverSiblings(tokens: Tokens, at: number): number {
  let to = backOver(tokens, at);
  if (!oneOf(tokens[to]?.text ?? "", "and ,")) return to;
  while (to > 0 && at - to < 8 && /^(?:and|,|[a-z]+(?:ed|tten|ilt))$/.test(tokens[to]!.text)) to--;
  return backOver(tokens, to);
}

/** "<subject> is done", "they're all complete": where the clause begins, or -1. */
function copular(tokens: Tokens, at: number, marker: string): number {
  const verb = backOverSiblings(tokens, at - 1);
  if (verb < 1 || !oneOf(tokens[verb]!.text, "is are am 's 're 'm") || isSymbol(tokens[verb - 1])) {
    return -1;
  }
  const start = clauseStart(tokens, verb);
  const subject = tokens[verb - 1]!.text;
  if (oneOf(subject, "you there here he she what who that's")) return -1;
  // "the part that is done"
  if (
    oneOf(subject, "that which") && verb - 1 > start &&
    !oneOf(tokens[verb - 2]!.text, "and so now of")
  ) return -1;
  if (oneOf(tokens[start]!.text, "is are") && start === verb) return -1;
  // "the way it is done"
  if (verb - 2 > start && tokens[verb - 2]!.text === "way") return -1;
  // "of the pages, four are done", but not "all four are", nor "phase 2 is"
  if (
    (tokens[verb - 1]!.kind === "number" || words().numbers.has(subject)) &&
    (verb - 1 === start || tokens[verb - 2]!.text === "and")
  ) return -1;
  const next = tokens[at + 1]?.text ?? "";
  const first = oneOf(subject, "i we");
  const goesOn = first && (next === "with" || isGerund(tokens[at + 1]) || next === "here");
  if (goesOn) return start;
  // "a task is completed on the board" tells how it is done.
  if (oneOf(tokens[start]!.text, "a an") && !isSymbol(tokens[at + 1])) return -1;
  if (isPlaced(tokens, start, verb, at)) return start;
  if (
    oneOf(next, "in on across for") &&
    (runsThere(tokens, at + 2) ||
      (marker !== "complete" && tokens.slice(start, verb).some(({ text }) => isRun(text))))
  ) return -1;
  return isTail(tokens, at + 1, marker) ? start : -1;
}

/** What programs, or those who use them, bring to its end each time anew. */
function isRun(noun: string): boolean {
  const { events, runs } = words();
  return events.has(noun) || runs.has(noun);
}

/** Where programs do their work: "the upload is finished in the background". */
function runsThere(tokens: Tokens, at: number): boolean {
  return tokens.slice(at, at + 4).some(({ text }, index) =>
    isSymbol(tokens[at + index + 1]) &&
    oneOf(
      text,
      "morning afternoon evening night data demo fixture fixtures mock mocks sample samples example examples background foreground worker workers thread threads callback callbacks loop handler handlers hook middleware constructor destructor transaction scheduler order parallel edge end meantime",
    )
  );
}

/**
 * "All three wallpapers are shipped to the store listing": whether behind a marker stands where work went. Of programs
 * the same words tell what they do ("logs are shipped to the collector"): so the subject must be counted, or be a work.
 */
function isPlaced(tokens: Tokens, start: number, verb: number, at: number): boolean {
  const { numbers, works } = words();
  const marker = tokens[at]!.text;
  const next = tokens[at + 1];
  const then = tokens[at + 2];
  if (marker === "done" || next?.kind !== "word" || then === undefined) return false;
  if (marker === "shipped" && next.text === "as") return /^v?\d/.test(then.text);
  const subject = tokens.slice(start, verb);
  let head = 0;
  while (oneOf(subject[head]?.text ?? "", "all the these those our your my of and so")) head++;
  const first = subject[head];
  const isCounted = first !== undefined &&
    (first.text === "both" || numbers.has(first.text) || /^\d+$/.test(first.text));
  if (!isCounted && !subject.some(({ text }) => works.has(text)) || oneOf(first?.text ?? "", "each every")) {
    return false;
  }
  // "at boot", "by the runner": so it goes each time.
  for (let to = at + 2; to < tokens.length && !isMark(tokens[to], ",;:-()"); to++) {
    if (oneOf(tokens[to]!.text, "at by via per during")) return false;
  }
  if (runsThere(tokens, at + 2) || subject.some(({ text }) => isRun(text))) return false;
  const isPlace = then.kind === "thing" || then.capital ||
    oneOf(then.text, "the this that these those both all our your my its every each production staging");
  if (marker === "shipped") {
    return next.text === "to" && isPlace && !oneOf(then.text, "every each");
  }
  if (!oneOf(next.text, "in on for across under from including")) return false;
  // "in portrait and landscape"
  const isPair = then.kind === "word" && tokens[at + 3]?.text === "and" && tokens[at + 4]?.kind === "word" &&
    isSymbol(tokens[at + 5]);
  return isPlace || isPair;
}

/** Whether a token is a verb in -ing that makes something; looking at what is there proves nothing and breaks nothing. */
function isGerund(token: Token | undefined): boolean {
  return token?.kind === "word" && /^[a-z]{2,}ing$/.test(token.text) &&
    !oneOf(token.text, "nothing something anything everything during") && !isLooking(token);
}

function isLooking(token: Token | undefined): boolean {
  return oneOf(
    token?.text ?? "",
    "reading looking reviewing investigating analysing analyzing exploring searching inspecting studying tracing scanning comparing profiling planning drafting summarising summarizing auditing surveying triaging diagnosing researching outlining",
  );
}

/** "<subject> has been completed": where the clause begins, or -1. */
function perfect(tokens: Tokens, at: number): number {
  const been = backOverSiblings(tokens, at - 1);
  if (been < 2 || tokens[been]!.text !== "been") return -1;
  const have = backOver(tokens, been - 1);
  if (have < 1 || !oneOf(tokens[have]!.text, "has have 's 've") || isSymbol(tokens[have - 1])) return -1;
  const start = clauseStart(tokens, have);
  if (oneOf(tokens[have - 1]!.text, "that which who") && have - 1 > start) return -1;
  // "has been completed by the warehouse"
  if (tokens[at + 1]?.text === "by" && oneOf(tokens[at + 2]?.text ?? "", "the a an its another")) return -1;
  return start;
}

/** "That's the last of the list finished": where the clause begins, or -1. */
function presented(tokens: Tokens, at: number, marker: string): number {
  const start = clauseStart(tokens, at);
  const that = oneOf(tokens[start]?.text ?? "", "and so") ? start + 1 : start;
  const verb = backOver(tokens, at - 1);
  if (tokens[that]?.text !== "that" || !oneOf(tokens[that + 1]?.text ?? "", "'s is")) return -1;
  if (verb < that + 2 || verb > that + 12 || !isTail(tokens, at + 1, marker)) return -1;
  const [first, ...noun] = tokens.slice(that + 2, verb + 1);
  if (!oneOf(first!.text, "the all both your this every everything")) return -1;
  if (first!.text === "everything" && noun.length === 0) return start;
  const isNoun = noun.length > 0 && !noun.some(({ text }, index) =>
    // "the last of it"
    !(oneOf(text, "it this") && noun[index - 1]?.text === "of") &&
    oneOf(
      text,
      "i we you he she they it this is are was were be been has have had can how when what who way second third fourth fifth next",
    )
  );
  return isNoun ? start : -1;
}

/** "The backfill has completed.": what ran to its end for this work, by its name; where the clause begins, or -1. */
function ranThrough(tokens: Tokens, at: number, marker: string): number {
  const verb = backOver(tokens, at - 1);
  if (verb < 2 || !oneOf(tokens[verb]!.text, "has have") || !oneOf(marker, "completed finished")) return -1;
  const start = clauseStart(tokens, verb);
  if (start > 0 && !isMark(tokens[start - 1], ":-")) return -1;
  if (!oneOf(tokens[start]!.text, "the your all both") || !isSymbol(tokens[at + 1])) return -1;
  const subject = tokens.slice(start, verb);
  const noun = tokens[headOf(tokens, start, verb)]!.text;
  const { works, tasks } = words();
  // Of a suite, a timer or an installation it is no more than an event.
  const isWork = works.has(noun) || tasks.has(noun) ||
    oneOf(noun, "backfill rollout cutover conversion cleanup deployment");
  return isWork && !subject.some(({ text }) => isRun(text) || oneOf(text, "that which who and or"))
    ? start
    : -1;
}

/** "The work was completed without problems", "The fix has shipped": what only people do; where the clause begins, or -1. */
function told(tokens: Tokens, at: number, marker: string): number {
  const { works, tasks } = words();
  const verb = backOver(tokens, at - 1);
  if (verb < 1 || marker === "complete" || isSymbol(tokens[verb - 1])) return -1;
  const isShipped = marker === "shipped" && oneOf(tokens[verb]!.text, "has have");
  if (!isShipped && !oneOf(tokens[verb]!.text, "was were")) return -1;
  const start = clauseStart(tokens, verb);
  const noun = tokens[headOf(tokens, start, verb)]!.text;
  if (!oneOf(tokens[start]!.text, "the all your both these") || !(works.has(noun) || tasks.has(noun))) {
    return -1;
  }
  return isSymbol(tokens[at + 1]) || isTail(tokens, at + 1, marker) ? start : -1;
}

/** The index of the noun that a phrase is about: the last one before "of the users table". */
function headOf(tokens: Tokens, start: number, end: number): number {
  let to = start;
  while (
    to + 1 < end &&
    !isMark(tokens[to + 1], ",;:-()") &&
    !oneOf(tokens[to + 1]!.text, "of for in on into about with from to at by that which you we i") &&
    // "the analysis and found two bugs"
    !(tokens[to + 1]!.text === "and" &&
      /^(?:i|we|have|has|found|wrote|can|will|[a-z]+ed)$/.test(tokens[to + 2]?.text ?? ""))
  ) to++;
  return to;
}

/** Whether a phrase names reading, or writing about it, or the run of something: "the code review", "a dry run of it". */
function isStudy(tokens: Tokens, start: number, end: number): boolean {
  const { studies } = words();
  const head = headOf(tokens, start, end);
  const { text } = tokens[head]!;
  if (studies.has(text) || oneOf(text, "run dry-run")) return true;
  // "The search is finished" may be a part of the program.
  return oneOf(text, "search lookup check") &&
    (head === start || oneOf(tokens[start]!.text, "my our literature code web"));
}

/** "The audit is complete: all of it is fixed": behind a study, what was found is repaired as well. */
function tellsRepair(tokens: Tokens, from: number): boolean {
  return tokens.slice(from).some(({ text }, index) =>
    oneOf(text, "gone fixed resolved addressed corrected removed") &&
    oneOf(tokens[from + index - 1]?.text ?? "", "is are all both now and i we have 've") &&
    !oneOf(tokens[from + index + 1]?.text ?? "", "in by since with upstream only from")
  );
}

/** Whether a marker is about reading, or writing about it: "Code review is done", "I finished the audit", "Analysis: done". */
function isOfStudy(tokens: Tokens, at: number): boolean {
  const { openers } = words();
  if (tellsRepair(tokens, at)) return false;
  const start = clauseStart(tokens, at);
  let end = at;
  while (end > start && !oneOf(tokens[end - 1]!.text, "is are am 's 're 'm has have was were")) end--;
  // Without a verb it is what stands right before the marker.
  if (end === start) end = backOver(tokens, at - 1) + 1;
  else end--;
  // "That's the review done"
  if (presented(tokens, at, tokens[at]!.text) >= 0) return at - start > 3 && isStudy(tokens, start + 3, at);
  const subject = tokens.slice(start, end);
  if (
    subject.every(({ text }) => oneOf(text, "i we ive weve 've have") || openers.has(text)) || start === at
  ) {
    const object = at + (tokens[at + 1]?.text === "with" ? 2 : 1);
    if (!isSymbol(tokens[object])) return isStudy(tokens, object, tokens.length);
    return isMark(tokens[start - 1], ":-") && start > 1 &&
      isStudy(tokens, clauseStart(tokens, start - 2), start - 1);
  }
  return isStudy(tokens, start, end);
}

/** Whether what stands before a clause makes it a wish, a text or a value: "My goal: …". */
function isUnderLabel(tokens: Tokens, start: number): boolean {
  return start > 1 && isMark(tokens[start - 1], ":") && tokens[0]!.text !== "please" &&
    isLabelOfText(tokens, start - 1);
}

/** Whether the subject of a clause is somebody else's work, or a command that ended. */
function isOthers({ tokens, message }: Judged, start: number, at: number): boolean {
  const [first, second] = [tokens[start]!, tokens[start + 1]];
  if (
    first.kind === "thing" && second !== undefined &&
    oneOf(second.text, "is 's has was finished completed done complete")
  ) {
    const code = message.slice(first.start, first.end);
    return code.startsWith("`") && code.includes(" ");
  }
  return tokens.slice(start, at).some(({ text }, index) => {
    const next = tokens[start + index + 1];
    if (oneOf(text, "agent subagent sub-agent")) {
      return oneOf(tokens[start + index - 1]?.text ?? "", "other another") ||
        (next !== undefined && /^(?:[a-z]|\d+)$/.test(next.text));
    }
    // "Maria's part is"
    if (text === "'s" && index > 0 && oneOf(next?.text ?? "", "work part share branch side half")) {
      return true;
    }
    // "the team's migration is"
    if (oneOf(text, "team vendor client")) {
      return next?.text === "'s" &&
        tokens.slice(start + index + 2, at).some(({ text }) => oneOf(text, "is are has have was were"));
    }
    return oneOf(text, "colleague colleagues teammate teammates coworker someone somebody");
  });
}

/** What a finished piece of work is called by behind its verb. */
function isObject(tokens: Tokens, at: number, marker: string): boolean {
  const { determiners } = words();
  const token = tokens[at];
  if (token === undefined || token.kind === "mark" || token.kind === "emoji") return false;
  if (isGerund(token)) return true;
  const { text } = token;
  if (marker === "done") {
    return oneOf(text, "the this that it all everything both these those so what as exactly each every");
  }
  if (determiners.has(text) || oneOf(text, "it them up implementing")) return true;
  if (token.kind === "thing" || token.capital) return true;
  if (token.kind === "number") return tokens[at + 1]?.kind === "word";
  return /^v\d/.test(text);
}

/** "I've completed …", "We refactored … and finished …": where the clause begins, or -1. */
function firstPerson(tokens: Tokens, at: number, marker: string): number {
  let verb = backOver(tokens, at - 1);
  if (verb >= 1 && oneOf(tokens[verb]!.text, "have 've")) verb = backOver(tokens, verb - 1);
  const subject = tokens[verb]?.text ?? "";
  const next = tokens[at + 1];
  if (subject === "i" || subject === "we" || subject === "ive" || subject === "weve") {
    const before = tokens[verb - 1];
    // "the work I finished" names the work.
    if (
      before && !isSymbol(before) &&
      !oneOf(before.text, "and so now then ok okay great yes today finally also done but because since")
    ) {
      return -1;
    }
    if (marker === "done") {
      // "I've done what I can"
      if (tokens.slice(at + 1, at + 7).some(({ text }) => oneOf(text, "can could possible"))) return -1;
      return verb + 1 < at && isObject(tokens, at + 1, marker) ? clauseStart(tokens, verb) : -1;
    }
    if (isLooking(next)) return -1;
    return next !== undefined && oneOf(next.text, "in after") ? -1 : clauseStart(tokens, verb);
  }
  // One of several verbs of the same subject.
  const opens = oneOf(tokens[0]!.text, "i we ive weve");
  if (
    opens && marker !== "done" && verb >= 0 && oneOf(tokens[verb]!.text, "and , then") &&
    isObject(tokens, at + 1, marker)
  ) {
    return at;
  }
  return -1;
}

/** The index where a sentence, or what follows a label in it, begins, seen from a marker; -1 where words stand between. */
function openedAt(tokens: Tokens, at: number): number {
  const { openers } = words();
  let start = at;
  while (start > 0 && at - start < 8) {
    const before = tokens[start - 1]!;
    if (isMark(before, ":-;(")) return start;
    if (!(openers.has(before.text) || before.kind === "emoji" || isMark(before, ",)"))) return -1;
    start--;
  }
  return start === 0 ? 0 : -1;
}

/** Whether what stands before a dash or colon names something: it is short, and no sentence. */
function isLabel(tokens: Tokens, to: number): boolean {
  return to <= 24 &&
    !tokens.slice(0, to).some(({ kind, text }) =>
      kind === "word" && oneOf(text, "is are was were am has have had can do does did either or use")
    );
}

/** "Cleaned up, refactored, and done." */
function isChain(tokens: Tokens, at: number): boolean {
  return at > 0 && at < 12 && isSymbol(tokens[at + 1]) && oneOf(tokens[at - 1]!.text, "and ,") &&
    tokens.slice(0, at).every(({ text }) => /^(?:,|and|up|out|in|[a-z]{2,}(?:ed|tten|ilt))$/.test(text)) &&
    tokens[0]!.kind === "word";
}

/** "Done.", "✅ Complete", "Status: done", "Done: …", "(done)": whether a marker stands alone. */
function isAlone(tokens: Tokens, at: number, marker: string): boolean {
  // "There you go, all done."
  if (at < 8 && at === tokens.length - 1 && tokens[at - 1]?.text === "all" && isMark(tokens[at - 2], ",")) {
    return true;
  }
  const start = openedAt(tokens, at);
  if (start < 0) return false;
  const next = tokens[at + 1];
  const then = tokens[at + 2];
  if (start > 0) {
    if (!isLabel(tokens, start - 1) || isLabelOfText(tokens, start - 1)) return false;
    return next === undefined || next.kind === "emoji" || isMark(next, "-()") ||
      (next.text === "successfully" && isSymbol(then));
  }
  if (isMark(next, ",")) {
    return marker === "done" || marker === "shipped" ||
      oneOf(then?.text ?? "", "and all with the i we it everything both pushed now merged committed");
  }
  // A number behind a label counts something.
  if (isMark(next, ":")) {
    return !(then?.kind === "number" && isSymbol(tokens[at + 3])) && then?.text !== "yes";
  }
  if (isMark(next, "(") || next === undefined || isSymbol(next)) return true;
  if (next.text === "and" && then !== undefined) {
    return /^(?:all|i|we|the|everything|it)$|(?:ed|t|d)$/.test(then.text);
  }
  if (next.text === "as") return isTail(tokens, at + 1, marker);
  return oneOf(next.text, "now successfully already here") && isSymbol(then);
}

/** "Completed the migration", "Finished wiring X", "Shipped v2.1", "Done with X". */
function isElided(tokens: Tokens, at: number, marker: string): boolean {
  const start = openedAt(tokens, at);
  if (start < 0 || marker === "complete" || isLabelOfText(tokens, Math.max(0, start - 1))) return false;
  if (tokens.slice(start, at).some(({ text }) => oneOf(text, "it everything ready"))) return false;
  const next = tokens[at + 1];
  if (next === undefined) return false;
  if (marker === "done") return next.text === "with" || isGerund(next);
  if (isObject(tokens, at + 1, marker)) return true;
  return isNominalObject(tokens, at + 1);
}

/** A bare noun as an object: "Completed migration of the users table". */
function isNominalObject(tokens: Tokens, at: number): boolean {
  const { notNouns } = words();
  for (let to = at; to < at + 5; to++) {
    const token = tokens[to];
    if (token === undefined || token.kind !== "word") return false;
    if (to > at && oneOf(token.text, "of to from for")) {
      return !/^(?:work|product|product|item|task|list|step)s?$/.test(tokens[to - 1]!.text) &&
        !tokens[to - 1]!.text.endsWith("s") &&
        !tokens.slice(to).some(({ text }) =>
          oneOf(text, "is are was were has have can will live lives sit sits goes")
        );
    }
    if (notNouns.has(token.text) || oneOf(token.text, "in on with and of for from")) return false;
  }
  return false;
}

/** "Implementation complete.", "Migration complete: 12 files". */
function isNominal(tokens: Tokens, at: number, marker: string): boolean {
  const { notNouns, determiners, events, adverbs } = words();
  const next = tokens[at + 1];
  const ends = isSymbol(next) || next!.text === "and" ||
    (oneOf(next!.text, "successfully now") && isSymbol(tokens[at + 2]));
  if (!ends && !(next!.text === "as" && isTail(tokens, at + 1, marker))) return false;
  let last = at - 1;
  while (last >= 0 && (tokens[last]!.kind === "emoji" || (adverbs.has(tokens[last]!.text)))) last--;
  let start = last + 1;
  while (start > 0 && last - start < 8) {
    const before = tokens[start - 1]!;
    if (isMark(before, ",;:-(") || before.kind === "emoji") break;
    // "Upgrade to React 19"
    const leads = before.text === "to" && (tokens[start]!.kind === "thing" || tokens[start]!.capital);
    if (before.kind === "mark" || (notNouns.has(before.text) && !leads)) return false;
    start--;
  }
  if (start > last || (start > 0 && !isSymbol(tokens[start - 1]))) return false;
  if (start > 0 && isMark(tokens[start - 1], "(")) return false;
  const noun = tokens[last]!;
  // "2 done, 1 open"
  if (start === last && noun.kind === "number") return false;
  if (
    noun.kind === "word" &&
    (/ly$/.test(noun.text) || oneOf(noun.text, "of for and the in to from on with"))
  ) return false;
  const first = tokens[start]!.text;
  if (determiners.has(first) && !oneOf(first, "all both every each everything")) return false;
  const isPast = marker !== "done" && marker !== "complete";
  if (isPast && tokens.slice(start, last + 1).some(({ text }) => events.has(text))) return false;
  if (isPast && next !== undefined && !isSymbol(next) && next.text === "and") return false;
  return !isReported(tokens, 0, start) && !isLabelOfText(tokens, start);
}

/** Whether a word of {@linkcode Marker} is a claim where it stands. */
function isClaim(judged: Judged, at: number): boolean {
  const { tokens } = judged;
  const marker = tokens[at]!.text;
  if (isBlocked(judged, at, at)) return false;
  for (
    const start of [
      copular(tokens, at, marker),
      perfect(tokens, at),
      told(tokens, at, marker),
      presented(tokens, at, marker),
      ranThrough(tokens, at, marker),
      firstPerson(tokens, at, marker),
    ]
  ) {
    if (start >= 0) {
      return !isReported(tokens, start, at) && !isUnderLabel(tokens, start) && !isOthers(judged, start, at);
    }
  }
  return isAlone(tokens, at, marker) || isChain(tokens, at) || isElided(tokens, at, marker) ||
    (isNominal(tokens, at, marker) && !isOthers(judged, clauseStart(tokens, at), at));
}

/** Where "all (42 of the) tests … pass" begins that ends at a token; -1 for nowhere. */
function allTestsAt(tokens: Tokens, at: number): number {
  // Elsewhere, on a branch that is not this work's; or those "that can run here".
  if (oneOf(tokens[at + 1]?.text ?? "", "there that which")) return -1;
  // "with the network mocked"
  for (let to = at + 2; to < at + 7 && tokens[at + 1]?.text === "with"; to++) {
    if (oneOf(tokens[to]?.text ?? "", "mocked stubbed faked disabled skipped off")) return -1;
  }
  let to = at - 1;
  while (
    to >= 0 && oneOf(tokens[to]!.text, "are is now still also currently successfully have all again and")
  ) to--;
  let all = -1;
  for (let index = to + 1; index < at; index++) if (tokens[index]!.text === "all") all = index;
  let noun = to;
  while (noun >= 0 && to - noun < 7 && !oneOf(tokens[noun]!.text, "test tests")) {
    if (tokens[noun]!.kind === "mark") return -1;
    noun--;
  }
  if (tokens[noun]?.text !== "tests" && tokens[noun + 1]?.text !== "cases") return -1;
  if (noun < to && !oneOf(tokens[noun + 1]!.text, "in for of under on across from suite suites cases")) {
    return -1;
  }
  if (all >= 0) return noun;
  for (let index = noun - 1; index >= 0 && noun - index < 9; index--) {
    const { kind, text } = tokens[index]!;
    if (text === "all") return index;
    if (kind === "mark" && text !== "," || oneOf(text, "but except that excluding")) return -1;
    if (oneOf(text, "is are was were has have not to some most")) return -1;
  }
  return -1;
}

/** "works now", "now works" at a token: the index of its first word; -1 for none. */
function worksNowAt(tokens: Tokens, at: number): number {
  const previous = tokens[at - 1]?.text ?? "";
  const next = tokens[at + 1];
  if (next?.text === "now") {
    const then = tokens[at + 2];
    const ends = isSymbol(then) ||
      oneOf(then!.text, "and too again in on with for as that without even correctly properly fine because");
    const comesAndGoes = then?.text === "and" && tokens[at + 3]?.text === "then" ||
      // "with one worker"
      oneOf(then?.text ?? "", "in on with for") && tokens[at + 3]?.text === "one";
    return ends && !comesAndGoes && at > 0 && !isSymbol(tokens[at - 1]) ? at : -1;
  }
  if (previous !== "now" || at < 2 && !(at === 1)) return -1;
  const ends = isSymbol(next) ||
    oneOf(
      next!.text,
      "and too again in on with for without correctly properly fine perfectly end end-to-end reliably everywhere both across from under even well great",
    ) ||
    (next!.text === "as" &&
      oneOf(
        tokens[at + 2]?.text ?? "",
        "expected intended designed described it you before specified planned",
      ));
  return ends && !(next?.text === "in" && tokens[at + 2]?.kind === "number") ? at - 1 : -1;
}

/** How many words and marks of a sentence are judged: it bounds the work on each marker. */
const MOST_TOKENS = 150;

/** Of a longer one, by how many of them a claim must be made. */
const FIRST_TOKENS = 40;

/** A claim, and whether it is about reading and writing alone: one that nothing need prove. */
interface Found extends Claim {
  readonly isStudy: boolean;
  /** Where its sentence begins. */
  readonly from: number;
}

/** The claims of one sentence, item or cell. */
function claimsOf(message: string, sentence: Sentence): Found[] {
  const { asks, start, end } = sentence;
  const { markers } = words();
  const isLong = sentence.tokens.length > MOST_TOKENS;
  const tokens = isLong ? sentence.tokens.slice(0, MOST_TOKENS) : sentence.tokens;
  if (
    asks || !tokens.some(({ text }) => markers.has(text) || oneOf(text, "works pass passed passes passing"))
  ) return [];
  const judged: Judged = { message, tokens, blocks: blocksOf(tokens) };
  const claims: Found[] = [];
  const add = (marker: Marker, at: number, isStudy = false) =>
    claims.push({
      marker,
      sentence: message.slice(start, end),
      start: tokens[at]!.start,
      isStudy,
      from: start,
    });
  for (const [at, { kind, text }] of tokens.entries()) {
    if (isLong && at >= FIRST_TOKENS) break;
    if (kind !== "word") continue;
    if (markers.has(text)) {
      if (isClaim(judged, at)) add(text as Marker, at, isOfStudy(tokens, at));
    } else if (/^pass(?:ed|es|ing)?$/.test(text)) {
      const all = allTestsAt(tokens, at);
      if (
        all >= 0 && !isBlocked(judged, all, at) && !isReported(tokens, clauseStart(tokens, all), all) &&
        !isUnderLabel(tokens, clauseStart(tokens, all)) &&
        tokens[all - 1]?.text !== "to"
      ) {
        add("all tests pass", all);
      }
    } else if (text === "works") {
      const works = worksNowAt(tokens, at);
      if (
        works >= 0 && !isBlocked(judged, works, works + 1) &&
        !isUnderLabel(tokens, clauseStart(tokens, works)) &&
        !isReported(tokens, clauseStart(tokens, works), works)
      ) {
        add("works now", works);
      }
    }
  }
  return claims;
}

/** Whether what stands above a passage keeps it from claiming: a plan, a condition, a question, somebody's words. */
function isSetAside(sentence: Sentence): boolean {
  const { tokens, asks } = sentence;
  if (asks) return true;
  const { anywhere } = blocksOf(tokens);
  return anywhere.length > 0 || isLabelOfText(tokens, tokens.length) ||
    tokens.some(({ text }) =>
      oneOf(
        text,
        "checklist criteria acceptance definition goal goals requirement requirements example examples sample samples usage template open outstanding roadmap future option options steps instructions expectations expected meaning",
      )
    );
}

/** Whether what stands under a heading is somebody else's, or a wish. */
function isSample({ tokens }: Sentence): boolean {
  return tokens.some(({ text }) =>
    oneOf(
      text,
      "checklist criteria acceptance definition goal goals requirement requirements example examples sample samples output outputs template templates format formats roadmap future plan expectations expected meaning todo",
    )
  );
}

/** "Overall status: complete": a line that is about the whole, whatever heading it stands under. */
function isSum(sentences: readonly Sentence[]): boolean {
  const [first, second] = sentences[0]?.tokens ?? [];
  return sentences.length === 1 && first?.text === "overall" && second?.kind !== "mark";
}

/** Headings and labels of what is not over. */
function namesRest(sentence: Sentence, loose: boolean): boolean {
  const first = sentence.tokens.find(({ kind }) => kind === "word")?.text ?? "";
  if (
    !oneOf(
      first,
      "still what remaining to todo in not pending blocked left outstanding open deferred skipped incomplete unfinished wip next",
    )
  ) return false;
  const texts = sentence.tokens.filter(({ kind }) => kind === "word").map(({ text }) => text).join(" ");
  return /^(?:still |what is |what 's )?(?:remaining|to ?do|todo|in progress|not (?:yet )?(?:done|started|finished|complete)|pending|blocked|left|outstanding|open|deferred|skipped|incomplete|unfinished|still open|to be done|wip)\b/
    .test(texts) || (loose && /^next\b/.test(texts));
}

/** The words of an item or row that are not its verdict. */
function saysMore(block: Block): boolean {
  const { markers } = words();
  return block.parts.some((part) =>
    part.some(({ tokens }) =>
      tokens.some(({ kind, text }) =>
        kind !== "mark" && kind !== "emoji" && !markers.has(text) && !oneOf(text, "all now yes")
      )
    )
  );
}

/** A bare marker as a row's first cell names what the row is about. */
function isName(block: Block, claim: Claim): boolean {
  const first = block.parts.find((part) => part.length > 0)?.[0];
  return block.kind === "row" && first?.tokens.length === 1 && first.tokens[0]!.start === claim.start;
}

/** The claims of the items of one list or the rows of one table: none unless each has one. */
function claimsOfGroup(message: string, group: readonly Block[]): Found[] {
  if (group.some(({ open }) => open) || (group.length > 1 && !group.every(saysMore))) return [];
  const claims: Found[] = [];
  for (const block of group) {
    const { kind, parts } = block;
    const found = parts.flatMap((part) => part.flatMap((sentence) => claimsOf(message, sentence)))
      .filter((claim) => !isName(block, claim));
    if (found.length === 0) return [];
    // Another cell of the row may say that it is not so.
    if (
      kind === "row" && parts.flat().some(({ tokens, asks }) => {
        const { anywhere, behind } = blocksOf(tokens);
        return asks || anywhere.length + behind.length > 0;
      })
    ) return [];
    for (const claim of found) claims.push(claim);
  }
  return claims;
}

/**
 * The claims of a message that work is over, in their order. None in a message that says that something was not
 * verified, tested or run; in doubt, none. Takes any string, and time that grows with its length alone.
 */
export function findClaims(message: string): readonly Claim[] {
  const claims = foundIn(/[\uff01-\uff5e]/.test(message) ? narrow(message) : message);
  return claims.filter(({ isStudy }) => !isStudy).map(({ marker, sentence, start, from }) => ({
    marker,
    sentence: message.slice(from, from + sentence.length),
    start,
  }));
}

/** A text with the wide forms of ASCII, as beside Chinese or Japanese, made plain; every offset stays. */
function narrow(message: string): string {
  return message.replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

function foundIn(message: string): readonly Found[] {
  const seen = message.replaceAll(/[*_\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g, "");
  if (!/done|complete|finished|shipped|works|pass/i.test(seen)) return [];
  const { blocks, plain } = readProse(message);
  if (admits(plain, message.includes("UNVERIFIED"))) return [];
  const claims: Found[] = [];
  const label = (block: Block) =>
    block.kind === "heading" || block.parts[0]?.at(-1)?.introduces === true
      ? block.parts[0]?.at(-1)
      : undefined;
  const hasRest = (loose: boolean) =>
    blocks.some((block) => {
      const labelled = block.parts.flat().some((sentence) =>
        sentence.tokens.some((token, at) => at < 5 && isMark(token, ":")) && namesRest(sentence, false)
      );
      if (labelled) return true;
      const sentence = label(block) ?? (block.parts[0]?.length === 1 ? block.parts[0][0] : undefined);
      return sentence !== undefined && namesRest(sentence, loose);
    });
  const rest = hasRest(false);
  const looseRest = rest || hasRest(true);
  let heading: Sentence | undefined;
  let section = 0;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    const above = blocks[index - 1];
    const intro = above?.parts[0]?.at(-1);
    // A rule ends what stands under a heading.
    if (block.section > section) heading = undefined;
    section = block.section;
    let aside = heading !== undefined && isSetAside(heading) ||
      intro?.introduces === true && isSetAside(intro);
    if (block.group > 0) {
      let end = index + 1;
      while (blocks[end]?.group === block.group) end++;
      if (above?.kind === "text" && intro?.asks === true) aside = true;
      if (!aside) {
        for (const claim of claimsOfGroup(message, blocks.slice(index, end))) claims.push(claim);
      }
      index = end - 1;
      continue;
    }
    const sentences = block.parts[0] ?? [];
    if (block.kind === "heading") {
      heading = sentences.at(-1);
      aside = false;
    }
    if (aside && !(index === blocks.length - 1 && heading && !isSample(heading) && isSum(sentences))) {
      continue;
    }
    for (const [at, sentence] of sentences.entries()) {
      const previous = sentences[at - 1];
      if (previous?.introduces && isSetAside(previous)) continue;
      const found = claimsOf(message, sentence);
      // "Done" over one list and "Remaining" over the next sort the work.
      const first = sentence.tokens.find(({ kind }) => kind === "word");
      const sorts = (rest && first !== undefined && words().markers.has(first.text) &&
        isMark(sentence.tokens[sentence.tokens.indexOf(first) + 1], ":")) ||
        (block.kind === "heading" || sentence.introduces) && sentence.tokens.length <= 4 &&
          (blocks[index + 1]?.kind === "item" ? looseRest : rest);
      if (!sorts) { for (const claim of found) claims.push(claim); }
    }
  }
  return claims;
}
