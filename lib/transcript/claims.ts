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

const setOf = (words: string) => new Set(words.split(" "));

/** The words that the judgments rest on, by the part they play. */
function makeLexicon() {
  return {
    markers: setOf("done complete completed finished shipped"),
    /** May stand before a marker that stands alone. */
    openers: setOf(
      "ok okay great perfect excellent alright right yes yep yeah and so all now everything then good nice awesome woohoo hooray finally also successfully just both it ready",
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
      "error errors fail fails failed failing failure failures broken breaks crash crashes crashed exception exceptions blocked blocker blockers stuck missing incomplete unfinished",
    ),
    /** Of what "no" may say that all is well. */
    benign: setOf(
      "error errors fail fails failed failing failure failures issue issues regression regressions warning warnings problem problems conflict conflicts crash crashes exception exceptions diff diffs change changes changed skip skips skipped flakes flaky remaining left todo todos need needed breaking broken outstanding pending blockers missing leftovers leftover",
    ),
    contrasts: setOf(
      "but however though although albeit except excluding yet despite still minus rest only unfortunately sadly alas",
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
      "i we you he she they it this that these those there what how why when who is are was were be been being am has have had do does did can could will would shall should may might must to as than by at well nicely easier once over never please get getting make let not no or if so very too more less auto tab turing np also just simply then yet mark marks marked consider considered call declare treat deem",
    ),
    /** What programs do: "the build finished" tells an event. */
    events: setOf(
      "build builds compile compilation download upload job jobs run process command script pipeline query scan container workflow request handshake boot calibration benchmark server sync thread worker transaction call response",
    ),
    determiners: setOf(
      "the a an all both this that these those my your our its their every each everything what his her another",
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

/**
 * Whether a message says of itself that something was not checked, or is not over yet: then it claims nothing. `plain`
 * as {@linkcode readProse} gives it.
 */
function admits(plain: string): boolean {
  const verb =
    "(?:verif(?:y|ied|ying)|test(?:ed|ing)?|r[au]n|exercis(?:ed?|ing)|validat(?:ed?|ing)|executed?|confirm(?:ed)?|checked|tried)";
  const gap =
    "(?:(?:yet|been|be|being|able|to|get|it|this|that|them|these|any|the|even|ever|had|have|a chance|[a-z-]{1,20}ly) ){0,5}";
  const not =
    "(?:\\bnot|n't|\\bnever|\\bcannot|\\bunable|\\bwithout|\\b(?:do|did|does|is|was|were|has|have|had|ca|could)nt)";
  const checking = "(?:verification|verified|verifying|testing|tested|validation|validated)";
  const kind = "(?:a|an|the|some|more|your|to be|manual|further|real|proper|independent|live|full)";
  return [
    "\\bun(?:verified|tested|validated|proven)\\b",
    `${not} ${gap}${verb}\\b`,
    `\\bwithout ${gap}running\\b`,
    `\\b(?:no|none of (?:the|my|these|those|its)) tests? (?:(?:was|were|has|have|had|could|been|be) ){0,3}(?:run|executed)\\b`,
    `\\b(?:nothing|none of (?:this|it|that|them|these)) (?:(?:here|was|were|is|has|have|been|yet) ){0,3}${verb}\\b`,
    `\\b(?:pending|awaiting|awaits?|needs?|requires?|lacks?|yet to be|remains to be) (?:${kind} ){0,3}${checking}\\b`,
    `\\b(?:verification|testing|validation) (?:(?:is|are|still) ){0,2}(?:pending|outstanding|needed|required|missing)\\b`,
    // What is not over yet, said as plainly as what is.
    "(?:\\b(?:is|are|am|'s|'re|'m) not|\\b(?:is|are)n't|\\bnot) (?:(?:yet|all|quite|fully|entirely) ){0,2}(?:done|complete|completed|finished|started|working)(?: yet)?(?= *(?:[.,;:!)—–-]|$|because|since|and|but))",
    "(?:\\b(?:could|can) ?not|\\bcan't|\\bcouldn't|\\bunable to|\\bnot able to) (?:finish|complete)\\b",
    "\\bstill (?:fail(?:s|ing)?|broken|missing|pending|in progress|needs?|to do|unfinished|incomplete)\\b",
    "\\b(?:is|are) (?:up )?next *(?:[.,;!]|$)",
    "\\btests? (?:still |now )?(?:is failing|are failing|fails?)\\b",
  ].some((source) => new RegExp(source).test(plain));
}

/** Where an offer or a wish begins behind the marker, as in "Done, let me know if …": what follows says nothing about it. */
function offerAt(tokens: Tokens, from: number): number {
  const { offers } = words();
  for (let at = from; at < tokens.length - 1; at++) {
    if (!isMark(tokens[at], ",;:-(") && tokens[at]!.text !== "and") continue;
    const first = tokens[at + 1]!.text;
    if (/^(?:let|tell|just|say|shout|ping|feel|happy|please|ask)$/.test(first)) return at;
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
  if (/^\p{N}+\/\p{N}+$/u.test(text)) return text.split("/")[0] !== text.split("/")[1];
  if (text.endsWith("%")) return true;
  if (!isNumber(tokens[at])) {
    return text === "out" && tokens[at + 1]?.text === "of" && isNumber(tokens[at + 2]);
  }
  let to = at + 1;
  if (tokens[to]?.text === "out") to++;
  if (tokens[to]?.text !== "of") return false;
  while (/^(?:of|the|these|those|your|our|my|all)$/.test(tokens[to]?.text ?? "")) to++;
  return isNumber(tokens[to]) && tokens[to]?.text !== text;
}

/** The indexes of tokens that say that all is well: "no errors", "nothing else to do". */
function soothing(tokens: Tokens): Set<number> {
  const { benign } = words();
  const calm = new Set<number>();
  for (const [at, { text }] of tokens.entries()) {
    const opens = text === "no" || text === "without" || text === "zero" || text === "0" ||
      text === "nothing" || text === "none";
    if (!opens) continue;
    for (let to = at + 1; to <= at + 4 && to < tokens.length && !isMark(tokens[to], ",;:-("); to++) {
      const next = tokens[to]!.text;
      const ends = benign.has(next) || ((text === "nothing") && /^(?:else|more|further|remains)$/.test(next));
      if (!ends) continue;
      for (let index = at; index <= to; index++) calm.add(index);
      // "no errors or warnings", "nothing left to do"
      for (let more = to + 1; more <= to + 3; more++) {
        if (benign.has(tokens[more]?.text ?? "") || /^(?:to|do|be)$/.test(tokens[more]?.text ?? "")) {
          calm.add(more);
        }
      }
    }
  }
  return calm;
}

/** Where the clause begins that holds a token: behind the last mark or "but". */
function clauseStart(tokens: Tokens, at: number): number {
  let start = at;
  while (start > 0 && !isMark(tokens[start - 1], ",;:-()") && tokens[start - 1]!.text !== "but") start--;
  return start;
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
  let fixing = -10;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "mark" || calm.has(at)) continue;
    const { text } = token;
    const previous = tokens[at - 1]?.text ?? "";
    const next = tokens[at + 1]?.text ?? "";
    if (/^(?:fix|fixed|fixes|fixing|resolve[sd]?|resolving|repair|handle[sd]?|handling)$/.test(text)) {
      fixing = at;
    }
    if (token.kind === "emoji") {
      if (/[❌⏳⌛🚧⬜☐🔲⚠🔴🟡🟠🔄✗✘🛑⛔❓🔜%]/u.test(text)) anywhere.push(at);
    } else if (lexicon.negators.has(text)) {
      if (!(text === "not" && next === "only")) anywhere.push(at);
    } else if (text === "no") {
      if (at + 1 === tokens.length || isMark(tokens[at + 1], ",;:-.)")) anywhere.push(at);
      else before.push(at);
    } else if (lexicon.conditions.has(text)) anywhere.push(at);
    else if (/^(?:long|far)$/.test(text) && next === (text === "long" ? "as" : "from")) anywhere.push(at);
    else if (text === "so" && next === "far") anywhere.push(at);
    else if (text === "so" && next === "that") before.push(at);
    else if (text === "case" && previous === "in") anywhere.push(at);
    else if (text === "other" && next === "than") anywhere.push(at);
    else if (text === "going" && next === "to" || text === "to" && next === "be") anywhere.push(at);
    else if (text === "to" && next === "do") anywhere.push(at);
    else if (lexicon.ahead.has(text)) {
      const isName = /^todos?$/.test(text) && /^(?:list|app|item|board|page|comment|view)s?$/.test(next);
      const isPast = text === "left" && /^(?:i|we|'ve|have|and|was)$/.test(previous);
      if (!isPast && !isName) anywhere.push(at);
    } else if (lexicon.hedges.has(text) || isFraction(tokens, at)) anywhere.push(at);
    else if (
      text === "first" &&
      /^(?:pass|half|part|draft|cut|version|step|round|batch|slice|iteration|stage|two|three|few|of)$/.test(
        next,
      )
    ) {
      anywhere.push(at);
    } else if (text === "at" && next === "least" || /^(?:kind|sort)$/.test(text) && next === "of") {
      anywhere.push(at);
    } else if (lexicon.parts.has(text)) before.push(at);
    else if (lexicon.amounts.has(text)) near.push(at);
    if (lexicon.troubles.has(text) && at - fixing > 6) {
      const isName = text === "error" && tokens[at + 1]?.kind === "word" &&
        !/^(?:in|on|at|is|was|and|or|from|when)$/.test(next);
      if (/^(?:fail|fails|failed|broken|crashes|crashed|blocked|stuck)$/.test(text)) anywhere.push(at);
      else if (!isName) behind.push(at);
    }
    if (lexicon.contrasts.has(text)) {
      // "all tests still pass"
      if (!(text === "still" && /^(?:pass|passing|passed)$/.test(next))) behind.push(at);
    }
    if (lexicon.past.has(text)) anywhere.push(at);
    // "As the log shows, …"
    if (
      tokens[0]!.text === "as" &&
      /^(?:shows|says|reads|states|reports|claims|suggests|told|said|wrote)$/.test(text)
    ) {
      anywhere.push(at);
    }
    // What was over some time ago, or is so again and again, is no news of this work.
    if (text === "last" && /^(?:week|month|year|night|time|sprint|release|\p{L}+day)$/u.test(next)) {
      anywhere.push(at);
    }
    if (
      /^(?:every|each)$/.test(text) &&
      /^(?:night|day|week|hour|time|request|call|minute|second|month|year|run)$/.test(next)
    ) {
      anywhere.push(at);
    }
  }
  return { anywhere, before, behind, near };
}

/** A sentence made ready to be judged. */
interface Judged {
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
    if (/^(?:say|report)$/.test(text) && /^(?:happy|glad|pleased|proud)$/.test(tokens[at - 2]?.text ?? "")) {
      continue;
    }
    if (views.has(text)) return true;
    if (
      speech.has(text) && next !== undefined &&
      (next.kind === "thing" ||
        /^(?:that|it|this|these|those|the|a|all|everything|they|him|her|them|me|us|as|we|you|i|its|your|our|until|for|like|something|when)$/
          .test(next.text))
    ) return true;
    // "what you asked for is done"
    if (text === "what" && !/^(?:you|we)$/.test(next?.text ?? "")) return true;
    // "I understand that the", but not "I confirmed that the", nor "all that you asked for"
    if (
      text === "that" && at > from &&
      /^(?:the|a|all|every|everything|it|this|these|my|our|your|both|each)$/.test(next?.text ?? "") &&
      !/^(?:confirm|confirmed|verified|checked|say|report|note)$/.test(tokens[at - 1]!.text)
    ) return true;
    if (
      /^(?:check|verify|confirm)$/.test(text) && !/^(?:can|i|we|to|the|a)$/.test(tokens[at - 1]?.text ?? "")
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
      !/^(?:changed|i|we)$/.test(tokens[at + 1]?.text ?? "")) ||
    (/^(?:status|state)$/.test(text) && /^(?:set|the|mark|change)$/.test(tokens[at - 1]?.text ?? ""))
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
    return /^(?:requested|planned|expected|described|discussed|specified|asked|agreed|you|well|intended|designed)$/
      .test(next);
  }
  if (text === "with" && marker !== "shipped") {
    return /^(?:all|no|zero|full|everything|the|\p{N}+)$/u.test(next);
  }
  if (text === "end-to-end" || text === "end") return true;
  if (text === "without") return true;
  if (marker === "complete" || marker === "completed" || marker === "finished") {
    // "in both files" says where; "in chunks", "at start" say how or when.
    const then = tokens[at + 1];
    return /^(?:in|on|for|across)$/.test(text) && then !== undefined &&
      (then.kind === "thing" ||
        /^(?:both|all|the|this|that|these|every|each|my|your|our|main|master|production|staging)$/.test(
          next,
        ));
  }
  if (marker === "shipped") {
    return text === "to" &&
      /^(?:production|prod|main|master|staging|users|customers|everyone|all|npm|pypi)$/.test(next);
  }
  return /^(?:for|on|in|across)$/.test(text) && /^(?:all|both|every|each)$/.test(next);
}

/** Steps back over adverbs from an index; the index of the first that is none, -1 at the sentence's beginning. */
function backOver(tokens: Tokens, at: number): number {
  const { adverbs } = words();
  let to = at;
  while (to >= 0 && at - to < 6 && (adverbs.has(tokens[to]!.text) || tokens[to]!.kind === "emoji")) to--;
  return to;
}

/** "<subject> is done", "they're all complete": where the clause begins, or -1. */
function copular(tokens: Tokens, at: number, marker: string): number {
  let verb = backOver(tokens, at - 1);
  // "is implemented, documented and done"
  if (/^(?:and|,)$/.test(tokens[verb]?.text ?? "")) {
    while (verb > 0 && at - verb < 9 && /^(?:and|,|\p{L}+ed)$/u.test(tokens[verb]!.text)) verb--;
    verb = backOver(tokens, verb);
  }
  if (verb < 1 || !/^(?:is|are|am|'s|'re|'m)$/.test(tokens[verb]!.text) || isSymbol(tokens[verb - 1])) {
    return -1;
  }
  const start = clauseStart(tokens, verb);
  const subject = tokens[verb - 1]!.text;
  if (/^(?:you|there|here|he|she|what|who|that's)$/.test(subject)) return -1;
  // "the part that is done"
  if (
    /^(?:that|which)$/.test(subject) && verb - 1 > start &&
    !/^(?:and|so|now|of)$/.test(tokens[verb - 2]!.text)
  ) return -1;
  if (/^(?:is|are)$/.test(tokens[start]!.text) && start === verb) return -1;
  const next = tokens[at + 1]?.text ?? "";
  const first = /^(?:i|we)$/.test(subject);
  const goesOn = first && (next === "with" || isGerund(tokens[at + 1]) || next === "here");
  return goesOn || isTail(tokens, at + 1, marker) ? start : -1;
}

/** Whether a token is a verb in -ing that makes something; looking at what is there proves nothing and breaks nothing. */
function isGerund(token: Token | undefined): boolean {
  return token?.kind === "word" && /^\p{L}{2,}ing$/u.test(token.text) &&
    !/^(?:nothing|something|anything|everything|during)$/.test(token.text) && !isLooking(token);
}

function isLooking(token: Token | undefined): boolean {
  return /^(?:reading|looking|reviewing|investigating|analy[sz]ing|exploring|searching|inspecting|studying|tracing)$/
    .test(token?.text ?? "");
}

/** "<subject> has been completed": where the clause begins, or -1. */
function perfect(tokens: Tokens, at: number): number {
  const been = backOver(tokens, at - 1);
  if (been < 2 || tokens[been]!.text !== "been") return -1;
  const have = backOver(tokens, been - 1);
  if (have < 1 || !/^(?:has|have|'s|'ve)$/.test(tokens[have]!.text) || isSymbol(tokens[have - 1])) return -1;
  const start = clauseStart(tokens, have);
  if (/^(?:that|which|who)$/.test(tokens[have - 1]!.text) && have - 1 > start) return -1;
  return start;
}

/** What a finished piece of work is called by behind its verb. */
function isObject(tokens: Tokens, at: number, marker: string): boolean {
  const { determiners } = words();
  const token = tokens[at];
  if (token === undefined || token.kind === "mark" || token.kind === "emoji") return false;
  if (isGerund(token)) return true;
  const { text } = token;
  if (marker === "done") {
    return /^(?:the|this|that|it|all|everything|both|these|those|so|what|as|exactly|each|every)$/.test(text);
  }
  if (determiners.has(text) || /^(?:it|them|up|implementing)$/.test(text)) return true;
  if (token.kind === "thing" || token.capital) return true;
  if (token.kind === "number") return tokens[at + 1]?.kind === "word";
  return /^v\p{N}/u.test(text);
}

/** "I've completed …", "We refactored … and finished …": where the clause begins, or -1. */
function firstPerson(tokens: Tokens, at: number, marker: string): number {
  let verb = backOver(tokens, at - 1);
  if (verb >= 1 && /^(?:have|'ve)$/.test(tokens[verb]!.text)) verb = backOver(tokens, verb - 1);
  const subject = tokens[verb]?.text ?? "";
  const next = tokens[at + 1];
  if (subject === "i" || subject === "we" || subject === "ive" || subject === "weve") {
    const before = tokens[verb - 1];
    // "the work I finished" names the work.
    if (
      before && !isSymbol(before) &&
      !/^(?:and|so|now|then|ok|okay|great|yes|today|finally|also|done|but|because|since)$/.test(before.text)
    ) {
      return -1;
    }
    if (marker === "done") {
      return verb + 1 < at && isObject(tokens, at + 1, marker) ? clauseStart(tokens, verb) : -1;
    }
    if (isLooking(next)) return -1;
    return next !== undefined && /^(?:in|after)$/.test(next.text) ? -1 : clauseStart(tokens, verb);
  }
  // One of several verbs of the same subject.
  const opens = /^(?:i|we|ive|weve)$/.test(tokens[0]!.text);
  if (
    opens && marker !== "done" && verb >= 0 && /^(?:and|,|then)$/.test(tokens[verb]!.text) &&
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
      kind === "word" && /^(?:is|are|was|were|am|has|have|had|can|do|does|did|either|or|use)$/.test(text)
    );
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
      /^(?:and|all|with|the|i|we|it|everything|both|pushed|now|merged|committed)$/.test(then?.text ?? "");
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
  return /^(?:now|successfully|already|here)$/.test(next.text) && isSymbol(then);
}

/** "Completed the migration", "Finished wiring X", "Shipped v2.1", "Done with X". */
function isElided(tokens: Tokens, at: number, marker: string): boolean {
  const start = openedAt(tokens, at);
  if (start < 0 || marker === "complete" || isLabelOfText(tokens, Math.max(0, start - 1))) return false;
  if (tokens.slice(start, at).some(({ text }) => /^(?:it|everything|ready)$/.test(text))) return false;
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
    if (to > at && /^(?:of|to|from|for)$/.test(token.text)) {
      return !/^(?:work|product|product|item|task|list|step)s?$/.test(tokens[to - 1]!.text) &&
        !tokens[to - 1]!.text.endsWith("s") &&
        !tokens.slice(to).some(({ text }) =>
          /^(?:is|are|was|were|has|have|can|will|lives?|sits?|goes)$/.test(text)
        );
    }
    if (notNouns.has(token.text) || /^(?:in|on|with|and|of|for|from)$/.test(token.text)) return false;
  }
  return false;
}

/** "Implementation complete.", "Migration complete: 12 files". */
function isNominal(tokens: Tokens, at: number, marker: string): boolean {
  const { notNouns, determiners, events, adverbs } = words();
  const next = tokens[at + 1];
  const ends = isSymbol(next) || next!.text === "and" ||
    (/^(?:successfully|now)$/.test(next!.text) && isSymbol(tokens[at + 2]));
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
  if (
    noun.kind === "word" &&
    (/ly$/.test(noun.text) || /^(?:of|for|and|the|in|to|from|on|with)$/.test(noun.text))
  ) return false;
  const first = tokens[start]!.text;
  if (determiners.has(first) && !/^(?:all|both|every|each|everything)$/.test(first)) return false;
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
  for (const start of [copular(tokens, at, marker), perfect(tokens, at), firstPerson(tokens, at, marker)]) {
    if (start >= 0) return !isReported(tokens, start, at);
  }
  return isAlone(tokens, at, marker) || isElided(tokens, at, marker) || isNominal(tokens, at, marker);
}

/** Where "all (42 of the) tests … pass" begins that ends at a token; -1 for nowhere. */
function allTestsAt(tokens: Tokens, at: number): number {
  let to = at - 1;
  while (
    to >= 0 && /^(?:are|is|now|still|also|currently|successfully|have|all|again|and)$/.test(tokens[to]!.text)
  ) to--;
  let all = -1;
  for (let index = to + 1; index < at; index++) if (tokens[index]!.text === "all") all = index;
  let noun = to;
  while (noun >= 0 && to - noun < 7 && !/^(?:tests?|specs)$/.test(tokens[noun]!.text)) {
    if (tokens[noun]!.kind === "mark") return -1;
    noun--;
  }
  if (tokens[noun]?.text !== "tests") return -1;
  if (noun < to && !/^(?:in|for|of|under|on|across|from|suite|suites)$/.test(tokens[noun + 1]!.text)) {
    return -1;
  }
  if (all >= 0) return noun;
  for (let index = noun - 1; index >= 0 && noun - index < 9; index--) {
    const { kind, text } = tokens[index]!;
    if (text === "all") return index;
    if (kind === "mark" && text !== "," || /^(?:but|except|that|excluding)$/.test(text)) return -1;
    if (/^(?:is|are|was|were|has|have|not|to|some|most)$/.test(text)) return -1;
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
      /^(?:and|too|again|in|on|with|for|as|that|without|even|correctly|properly|fine|because)$/.test(
        then!.text,
      );
    const comesAndGoes = then?.text === "and" && tokens[at + 3]?.text === "then";
    return ends && !comesAndGoes && at > 0 && !isSymbol(tokens[at - 1]) ? at : -1;
  }
  if (previous !== "now" || at < 2 && !(at === 1)) return -1;
  const ends = isSymbol(next) ||
    /^(?:and|too|again|in|on|with|for|without|correctly|properly|fine|perfectly|end|end-to-end|reliably|everywhere|both|across|from|under|even|well|great)$/
      .test(next!.text) ||
    (next!.text === "as" &&
      /^(?:expected|intended|designed|described|it|you|before|specified|planned)$/.test(
        tokens[at + 2]?.text ?? "",
      ));
  return ends && !(next?.text === "in" && tokens[at + 2]?.kind === "number") ? at - 1 : -1;
}

/** What has more words and marks is no sentence that reports; it bounds the work on each marker. */
const MOST_TOKENS = 150;

/** The claims of one sentence, item or cell. */
function claimsOf(message: string, sentence: Sentence): Claim[] {
  const { tokens, asks, start, end } = sentence;
  const { markers } = words();
  if (
    asks || tokens.length > MOST_TOKENS ||
    !tokens.some(({ text }) => markers.has(text) || /^(?:works|pass|passed|passes|passing)$/.test(text))
  ) return [];
  const judged: Judged = { tokens, blocks: blocksOf(tokens) };
  const claims: Claim[] = [];
  const add = (marker: Marker, at: number) =>
    claims.push({ marker, sentence: message.slice(start, end), start: tokens[at]!.start });
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== "word") continue;
    if (markers.has(text)) {
      if (isClaim(judged, at)) add(text as Marker, at);
    } else if (/^pass(?:ed|es|ing)?$/.test(text)) {
      const all = allTestsAt(tokens, at);
      if (
        all >= 0 && !isBlocked(judged, all, at) && !isReported(tokens, clauseStart(tokens, all), all) &&
        tokens[all - 1]?.text !== "to"
      ) {
        add("all tests pass", all);
      }
    } else if (text === "works") {
      const works = worksNowAt(tokens, at);
      if (
        works >= 0 && !isBlocked(judged, works, works + 1) &&
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
      /^(?:checklist|criteria|acceptance|definition|goals?|requirements?|examples?|usage|template|open|outstanding|roadmap|future|options?|steps|instructions|expectations|expected|meaning)$/
        .test(text)
    );
}

/** Headings and labels of what is not over. */
function namesRest(sentence: Sentence, loose: boolean): boolean {
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
        kind !== "mark" && kind !== "emoji" && !markers.has(text) && !/^(?:all|now|yes)$/.test(text)
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
function claimsOfGroup(message: string, group: readonly Block[]): Claim[] {
  if (group.some(({ open }) => open) || (group.length > 1 && !group.every(saysMore))) return [];
  const claims: Claim[] = [];
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
  const seen = message.replaceAll(/[*_\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/g, "");
  if (!/done|complete|finished|shipped|works|pass/i.test(seen)) return [];
  const { blocks, plain } = readProse(message);
  if (admits(plain)) return [];
  const claims: Claim[] = [];
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
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    const above = blocks[index - 1];
    const intro = above?.parts[0]?.at(-1);
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
    if (aside) continue;
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
